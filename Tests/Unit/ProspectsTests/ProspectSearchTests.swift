import Foundation
import SwitchboardIncrementalIndex
import SwitchboardKeypad
import SwitchboardSearchEngine
import SwitchboardStorage
import Testing

@testable import SwitchboardProspects

@Suite("Searching prospects")
struct ProspectSearchTests {
    let list: Prospects
    let search: ProspectSearch

    init() throws {
        list = try emptyList()
        try list.add(
            Prospect(
                name: "Łukasz Nowak", email: "lukasz@example.org", phone: "020 7946 0123", organization: "Initech",
                note: "wants a demo", met: "FOSDEM"))
        try list.add(Prospect(name: "王伟", email: "wei@example.cn"))
        try list.add(Prospect(name: "Мария Иванова", email: "maria@example.ru", organization: "Globex"))
        try list.add(Prospect(name: "Đặng Văn An", phone: "+84 24 3825 5555"))
        search = ProspectSearch(prospects: list)
    }

    @Test(
        "A search matches every field in every script and highlights the match",
        arguments: [
            ("lukasz nowak", "Łukasz Nowak", ResultMatch.exact, "name", [0..<6, 7..<12]),
            ("Łuk", "Łukasz Nowak", .prefix, "name", [0..<3]),
            ("nowak lukasz", "Łukasz Nowak", .words, "name", [0..<6, 7..<12]),
            ("nowka", "Łukasz Nowak", .typo, "name", [7..<12]),
            ("initech", "Łukasz Nowak", .exact, "organization", [0..<7]),
            ("demo", "Łukasz Nowak", .prefix, "note", [8..<12]),
            ("fosd", "Łukasz Nowak", .prefix, "met", [0..<4]),
            ("wang wei", "王伟", .exact, "name", [0..<2]),
            ("王", "王伟", .prefix, "name", [0..<1]),
            ("mariya", "Мария Иванова", .prefix, "name", [0..<5]),
            ("maria@exam", "Мария Иванова", .prefix, "email", [0..<5, 6..<10]),
            ("dang van", "Đặng Văn An", .prefix, "name", [0..<4, 5..<8]),
            ("79460", "Łukasz Nowak", .infix, "phone", [4..<10]),
            ("02079", "Łukasz Nowak", .prefix, "phone", [0..<6]),
        ] as [(String, String, ResultMatch, String, [Range<Int>])])
    func finds(_ text: String, _ name: String, _ match: ResultMatch, _ field: String, _ ranges: [Range<Int>]) throws {
        let hit = try #require(try search.search(SearchInput(text)).hits.first)
        #expect(hit.person.name == name)
        #expect(hit.match == match)
        #expect(hit.highlights[field] == ranges)
    }

    @Test("A keypad search matches names and numbers", arguments: ["585279", "66925", "9264", "2079460123"])
    func dials(_ digits: String) throws {
        #expect(try !search.search(SearchInput(keys: digits)).hits.isEmpty)
    }

    @Test("A search sees changes; the empty text returns the latest met first")
    func changes() throws {
        #expect(try search.search("").hits.map(\.person.name).first == "Đặng Văn An")
        let id = try list.add(Prospect(name: "Zoë")).prospect.id
        #expect(try search.search("zoe").hits.map(\.person.id) == [id])
        try list.setContacted([id])
        #expect(try search.search("zoe").hits.first?.person.isContacted == true)
        try list.remove([id])
        #expect(try search.search("zoe").hits.isEmpty)
        try list.restore([id])
        #expect(try search.search("zoe").hits.count == 1)
    }

    @Test("The index is stored beside the database and rebuilt if it is corrupt")
    func indexFile() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "prospects-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "a.sqlite").path
        func find() throws -> [String] {
            let list = Prospects(storage: try Storage(at: path, migrations: [Prospects.migrations]))
            if try list.count() == 0 { try list.add(Prospect(name: "Ana")) }
            return try ProspectSearch(prospects: list).search("an").hits.map(\.person.name)
        }
        #expect(try find() == ["Ana"])
        let file = folder.appending(path: "a.index/prospects.index")
        #expect(FileManager.default.fileExists(atPath: file.path))
        try Data("torn".utf8).write(to: file)
        #expect(try find() == ["Ana"])
    }
}
