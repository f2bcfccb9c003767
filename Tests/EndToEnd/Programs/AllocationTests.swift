import Foundation
import Testing

/// The allocations of an answer show what it costs on any machine, however busy. The same queries are counted on large
/// data by `Scripts/benchmarks/performance/lookups.py`.
@Suite("The allocations of an answer")
struct AllocationTests {
    private let bench: Bench
    private let counts: String

    init() throws {
        bench = try Bench.withSample()
        counts = try bench.file("counts", Data(count: 8))
    }

    /// The library that counts the allocations of a process, loaded before the C library.
    private static let library = Result {
        let library = NSTemporaryDirectory() + "allocations-\(UUID().uuidString).so"
        let compiler = Process()
        compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        compiler.arguments = [
            "clang", "-O2", "-shared", "-fPIC", "-o", library,
            Bench.source("Scripts/benchmarks/performance/allocations.c"),
        ]
        try compiler.run()
        compiler.waitUntilExit()
        try #require(compiler.terminationStatus == 0)
        return library
    }

    /// Returns the allocations of an answer after the first one.
    private func allocations(of command: [String], _ query: String) throws -> UInt64 {
        let conversation = try bench.start(
            command + ["--batch", "--json"], environment: ["LD_PRELOAD": try Self.library.get(), "ALLOCATIONS": counts])
        var before: UInt64 = 0
        for _ in 0..<2 {
            before = try count()
            conversation.send(query + "\n")
            let line = try #require(conversation.readLine())
            #expect(try !JSONObject(line: line).searchRows().isEmpty)
        }
        let after = try count()
        #expect(conversation.finish().status == 0)
        return after - before
    }

    private func count() throws -> UInt64 {
        try Data(contentsOf: URL(fileURLWithPath: counts)).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    @Test(
        "stay within a tenth of what they are",
        arguments: [
            // Most are of romanizing the names in other scripts, for their highlights.
            (["contacts", "dial"], "5646", 1_373), (["contacts", "find"], "carmen", 272),
            (["contacts", "find"], "groskruetz", 246), (["airports", "search"], "lon", 194),
            (["airports", "search"], "frankfrut", 185), (["find"], "rio", 504),
        ])
    func limits(command: [String], query: String, most: UInt64) throws {
        let count = try allocations(of: command, query)
        #expect(count <= most)
    }
}
