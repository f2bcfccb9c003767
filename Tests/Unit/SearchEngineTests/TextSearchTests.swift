import Foundation
import SwitchboardSearchEngine
import Testing

@Suite("Text in the engine")
struct TextSearchTests {
    private static let names = [
        "Ana Grande", "Zoë Blüe", "Łódź Fabryczna", "brandud smart toaster", "王伟", "Zoé Müller-Blue",
    ]

    private static func index() throws -> SearchIndex {
        var builder = IndexBuilder(fields: [.text])
        for (number, name) in names.enumerated() {
            builder.beginDocument(id: Int64(number), rank: UInt64(number))
            builder.add(name)
        }
        return try builder.build()
    }

    @Test(
        "Texts are found whatever their case and accents, with typos in several words",
        arguments: [
            ("BLUE", [1, 5]), ("blüe", [1, 5]), ("zoe blu", [1, 5]), ("lodz", [2]), ("brandud smrat toastre", [3]),
            ("ag", [0]), ("rand", [0, 3]), ("grande ana", [0]), ("wang", [4]), ("zzz", []), ("", []),
        ])
    func finds(_ typed: String, _ ids: [Int64]) throws {
        let found = try Self.index().search(typed).map(\.id)
        #expect(Set(found) == Set(ids) && found.first == ids.first, "\(found)")
    }

    @Test(
        "The matched parts of a text are named",
        arguments: [("blue", 1, ["Blüe"]), ("z b", 1, ["Z", "B"]), ("wang", 4, ["王"])])
    func ranges(_ typed: String, _ id: Int, _ parts: [String]) throws {
        let hit = try #require(try Self.index().search(typed).first { $0.id == Int64(id) })
        let name = Self.names[id]
        #expect(hit.ranges(in: name).map { String(name[$0]) } == parts)
        #expect(hit.ranges(in: "").isEmpty && hit.ranges(in: name, value: 1).isEmpty)
    }

    @Test("An index is written to a file, mapped and replaced while it is used")
    func file() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Self.index().write(to: path)
        let mapped = try SearchIndex(mapping: path)
        #expect(try mapped.search("blue").map(\.id) == [1, 5])
        var builder = IndexBuilder(fields: [.text])
        builder.beginDocument(id: 7)
        builder.add("Other")
        try builder.build().write(to: path)
        #expect(try mapped.search("blue").map(\.id) == [1, 5])
        #expect(try SearchIndex(mapping: path, verifying: .eager).search("other").map(\.id) == [7])
    }

    @Test("A file that is no index is an error")
    func invalid() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for (name, content) in [("empty", ""), ("text", String(repeating: "text ", count: 100))] {
            try content.write(toFile: folder + "/" + name, atomically: true, encoding: .utf8)
            #expect(throws: IndexFormatError.self) { try SearchIndex(mapping: folder + "/" + name) }
        }
        #expect(throws: IndexFormatError.file(path: folder + "/none", reason: "No such file or directory")) {
            try SearchIndex(mapping: folder + "/none")
        }
        #expect(throws: IndexFormatError.self) { try SearchIndex(mapping: folder) }
        #expect(throws: IndexFormatError.self) { try Self.index().write(to: folder + "/none/index") }
    }
}
