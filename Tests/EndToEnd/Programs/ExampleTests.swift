import Foundation
import SwitchboardContacts
import SwitchboardIncrementalIndex
import SwitchboardKeypad
import SwitchboardTestFixtures
import SwitchboardTesting
import Testing

@Suite("Examples of the documentation")
struct ExampleTests {
    let bench: Bench

    init() throws {
        bench = try Bench()
    }

    @Test("The examples of all module pages run")
    func frontPages() throws {
        let result = try run("module-examples")
        #expect(result.status == 0)
        let printed = result.output.split(separator: "\n").map(String.init)
        let folder = ExampleTests.top.appendingPathComponent("Modules").path
        let catalogues = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".docc") }
        #expect(!catalogues.isEmpty)
        for catalogue in catalogues {
            let module = URL(fileURLWithPath: catalogue).deletingPathExtension().lastPathComponent
            #expect(printed.contains("— \(module)"))
        }
    }

    private static let top = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Runs a program that was built together with these tests, in a folder of its own.
    private func run(_ name: String) throws -> RunResult {
        let output = try bench.file("output.txt", "")
        let running = try ChildProcess(
            [], of: BuiltProgram.path(of: name),
            environment: ["HOME": bench.folder, "TMPDIR": bench.folder, "LANG": "C"],
            streams: [.path("/dev/null"), .path(output), .path("/dev/null")])
        var result = running.wait()
        result.output = try String(contentsOfFile: output, encoding: .utf8)
        return result
    }
}

// The test of docs/testing.md.
@Test func findsPeopleByKeypad() throws {
    let store = try TemporaryStore()  // a folder and a database, deleted with the value
    let clock = FixedClock()  // 14:30 on 21 November 2026, until advanced
    let book = ContactBook(storage: try store.storage([ContactBook.migrations]), region: "GB", clock: clock.read)
    _ = try book.importContacts(from: [.bytes(Array(SampleData.vCards.utf8), name: "sample.vcf")])
    let search = ContactSearch(book: book)
    let hits = try search.search(SearchInput(keys: "5646")).hits
    #expect(hits.first?.person.displayName == "Zoë Jogo")
}
