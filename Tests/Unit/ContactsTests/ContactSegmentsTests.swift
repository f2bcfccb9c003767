import Foundation
import GRDB
import SwitchboardIncrementalIndex
import SwitchboardKeypad
import SwitchboardStorage
import SwitchboardTestSupport
import Testing

@testable import SwitchboardContacts

/// After each change, an incremental index returns the same results as a rebuilt one.
@Suite("Incremental index of contacts")
struct ContactSegmentsTests {
    private static let given = ["Anna", "Ana", "Jürgen", "Иван", "Maria", "Łukasz", "Bob", "Carmen", "王", "Jo"]
    private static let family = ["Müller", "Diaz", "Smith", "Smyth", "Жуков", "O'Connor", "伟", "Gonzales", "Berg"]
    private static let queries = [
        "an", "ana", "anna smith", "smth", "gonsales", "br", "am", "mu an", "diaz car", "ivan", "note", "a", "",
    ]
    private static let digits = ["26", "262", "555", "5550", "27", "7648", "2", "0555", "26207", ""]

    static func person(_ random: inout SplitMix) -> Contact {
        let names = [given, family, family].map { $0[Int(random.next() % UInt64($0.count))] }
        var contact = Contact(
            name: PersonName(splitting: names.prefix(Int(random.next() % 3) + 1).joined(separator: " ")))
        if random.next() % 2 == 0 {
            contact.phones = [
                Phone(number: PhoneNumber("+1 702 555 01\(10 + random.next() % 90)", region: nil))
            ]
        }
        if random.next() % 5 == 0 { contact.note = "note of anna" }
        return contact
    }

    static func results(_ search: ContactSearch, limits: [Int] = [5, 0]) throws -> [[String]] {
        func lines(_ hits: [PersonHit<Contact>]) -> [String] {
            hits.map { hit in
                let marks = hit.highlights.sorted { $0.key < $1.key }.map { "\($0.key)\($0.value)" }.joined()
                return "\(hit.person.displayName) \(hit.person.id) \(hit.match) \(marks)"
            }
        }
        var all: [[String]] = []
        for limit in limits {
            for query in queries { all.append(lines(try search.search(SearchInput(query), limit: limit).hits)) }
            for query in digits { all.append(lines(try search.search(SearchInput(keys: query), limit: limit).hits)) }
        }
        return all
    }

    /// Returns the first difference of two lists of results, with the number of the query.
    static func difference(_ left: [[String]], _ right: [[String]]) -> String? {
        for (number, (left, right)) in zip(left, right).enumerated() where left != right {
            let line = zip(left, right).first { $0 != $1 }
            return "query \(number): \(line.map { "\($0.0) | \($0.1)" } ?? "\(left.count) | \(right.count) lines")"
        }
        return nil
    }

    private static func change(_ book: ContactBook, _ ids: inout [String], _ random: inout SplitMix) throws {
        let place = Int(random.next() % UInt64(max(ids.count, 1)))
        let kind = ids.isEmpty ? 0 : random.next() % 8
        switch kind {
        case 0, 1: ids.append(try book.add(person(&random)).id)
        case 2: try book.remove([ids.remove(at: place)])
        case 3: try book.setFavourite(ids[place], to: random.next() % 2 == 0)
        case 4: try book.recordCall(ids[place])
        case 5:
            let other = person(&random)
            try book.edit(ids[place]) { $0.phones = other.phones }
        case 6: try book.edit(ids[place]) { $0.note = "" }
        default:
            let other = person(&random)
            try book.edit(ids[place]) { $0.name = other.name }
        }
    }

    @Test("returns the results of a rebuilt index after many changes", arguments: [1, 2, 3] as [UInt64])
    func followsChanges(_ seed: UInt64) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let storage = try Storage(
            at: folder.appending(path: "a.sqlite").path, migrations: [ContactBook.migrations])
        let moment = Date(timeIntervalSince1970: 1_800_000_000)
        let book = ContactBook(storage: storage, region: nil) { moment }
        var random = SplitMix(seed: seed)
        var ids: [String] = []
        for _ in 0..<60 { ids.append(try book.add(Self.person(&random)).id) }
        // Segments of at most 4 changes, and a rebuild after 2 × 12.
        var limits = MergePolicy()
        limits.maxPendingChanges = 4
        limits.rebuildDivisor = 1_000
        limits.minChangesBeforeRebuild = 12
        limits.blockingRebuildFactor = 2
        // Few segments, many, or some.
        limits.mergeFactor = [8, 1, 2][Int(seed) - 1]
        let incremental = ContactSearch(book: book, rebuildsInBackground: false, mergePolicy: limits)
        _ = try incremental.search("an").hits
        for step in 0..<40 {
            for _ in 0...(random.next() % 3) { try Self.change(book, &ids, &random) }
            if step % 4 == 3 { try incremental.compact() }
            let found = try Self.results(incremental)
            let reopened = try Self.results(ContactSearch(book: book, rebuildsInBackground: false, mergePolicy: limits))
            #expect(Self.difference(found, reopened) == nil, "step \(step): reopened")
            let files = folder.appending(path: "a.index")
            let aside = folder.appending(path: "aside")
            try FileManager.default.moveItem(at: files, to: aside)
            let rebuilt = try Self.results(ContactSearch(book: book, rebuildsInBackground: false, mergePolicy: limits))
            try FileManager.default.removeItem(at: files)
            try FileManager.default.moveItem(at: aside, to: files)
            #expect(Self.difference(found, rebuilt) == nil, "step \(step): rebuilt")
            let shown = try incremental.search("", limit: 0).hits.map(\.person)
            #expect(Set(shown) == Set(try book.list()), "step \(step): contacts of the index")
        }
    }

    @Test("a change does not rewrite the file, and compacting rebuilds it")
    func keepsTheFile() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let storage = try Storage(
            at: folder.appending(path: "a.sqlite").path, migrations: [ContactBook.migrations])
        let book = ContactBook(storage: storage, region: nil)
        for name in ["Ada Lovelace", "Alan Turing"] { try book.add(Contact(name: PersonName(splitting: name))) }
        var limits = MergePolicy()
        limits.maxPendingChanges = 4
        limits.rebuildDivisor = 1_000
        limits.minChangesBeforeRebuild = 6
        limits.blockingRebuildFactor = 100
        func search() -> ContactSearch { ContactSearch(book: book, rebuildsInBackground: false, mergePolicy: limits) }
        #expect(try search().search("ada").hits.count == 1)
        let file = folder.appending(path: "a.index/contacts.index")
        let before = try Data(contentsOf: file)
        for number in 1...9 {
            try book.add(Contact(name: PersonName(splitting: "Ada Number\(number)")))
            #expect(try search().search("ada").hits.count == number + 1)
            #expect(try Data(contentsOf: file) == before)
        }
        try search().compact()
        let after = try Data(contentsOf: file)
        #expect(after != before)
        #expect(try search().search("ada").hits.count == 10)
        // Too few changes for another rebuild.
        try book.add(Contact(name: PersonName(splitting: "Ada Last")))
        try search().compact()
        #expect(try Data(contentsOf: file) == after)
    }

    @Test("deletions do not rebuild the index until most people changed, and a segment knows them")
    func deletions() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let storage = try Storage(
            at: folder.appending(path: "a.sqlite").path, migrations: [ContactBook.migrations])
        let book = ContactBook(storage: storage, region: nil)
        let ids = try (0..<40).map { try book.add(Contact(name: PersonName(splitting: "Ada Number\($0)"))).id }
        var limits = MergePolicy()
        (limits.maxPendingChanges, limits.minChangesBeforeRebuild, limits.changeDivisor) = (4, 4, 2)
        func search() -> ContactSearch { ContactSearch(book: book, rebuildsInBackground: false, mergePolicy: limits) }
        func found() throws -> Set<String> { Set(try search().search("ada", limit: 0).hits.map(\.person.id)) }
        #expect(try found() == Set(ids))
        let file = folder.appending(path: "a.index/contacts.index")
        let recent = folder.appending(path: "a.index/contacts-recent.index")
        let before = try Data(contentsOf: file)
        try book.remove(Array(ids[..<12]))
        try search().compact()
        let segment = try Data(contentsOf: recent)
        #expect(try found() == Set(ids[12...]))
        try book.remove(Array(ids[12..<15]))
        try search().compact()
        #expect(try found() == Set(ids[15...]))
        // Few further changes need no other segment.
        #expect(try Data(contentsOf: recent) == segment)
        #expect(try Data(contentsOf: file) == before)
        try book.remove(Array(ids[15..<25]))
        try search().compact()
        #expect(try Data(contentsOf: file) != before)
        #expect(try found() == Set(ids[25...]))
        // A corrupt index cannot take a segment, and the next search builds another.
        var corrupt = try Data(contentsOf: file)
        for position in corrupt.indices.dropFirst(4_096) { corrupt[position] = 0xA5 }
        try corrupt.write(to: file)
        try book.remove(Array(ids[25..<31]))
        try search().compact()
        #expect(try found() == Set(ids[31...]))
    }

    @Test("a large import replaces the log of changes and is searchable")
    func bulk() throws {
        let book = ContactBook(storage: try .inMemory(migrations: [ContactBook.migrations]), region: nil)
        let search = ContactSearch(book: book)
        try book.add(Contact(name: PersonName(splitting: "Ada Lovelace")))
        #expect(try search.search("ada").hits.count == 1)
        let cards = (0..<1_500).map {
            "BEGIN:VCARD\nVERSION:4.0\nFN:Person \($0)\nTEL:+1702555\(1000 + $0)\nEND:VCARD\n"
        }
        let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString + ".vcf")
        defer { try? FileManager.default.removeItem(at: path) }
        try cards.joined().write(to: path, atomically: true, encoding: .utf8)
        #expect(try book.importContacts(from: [.file(path.path)]).added == 1_500)
        #expect(try search.search("person 777").hits.first?.person.displayName == "Person 777")
        let logged = try book.storage.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM contact_change") }
        #expect(logged == 0)
        // Later changes are logged again.
        try book.add(Contact(name: PersonName(splitting: "Grace Hopper")))
        #expect(try search.search("hopper").hits.count == 1)
    }

    @Test("a restored backup invalidates a newer index")
    func restoredBackup() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "a.sqlite").path
        let backup = folder.appending(path: "b.sqlite").path
        do {
            let book = ContactBook(storage: try Storage(at: path, migrations: [ContactBook.migrations]), region: nil)
            try book.add(Contact(name: PersonName(splitting: "Ada Lovelace")))
            try book.storage.backup(to: backup)
            try book.add(Contact(name: PersonName(splitting: "Future Person")))
            #expect(try ContactSearch(book: book).search("future").hits.count == 1)
            book.storage.close()
        }
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        try FileManager.default.copyItem(atPath: backup, toPath: path)
        let book = ContactBook(storage: try Storage(at: path, migrations: [ContactBook.migrations]), region: nil)
        for name in ["Another One", "And Another"] { try book.add(Contact(name: PersonName(splitting: name))) }
        let search = ContactSearch(book: book)
        #expect(try search.search("future").hits.isEmpty)
        #expect(try search.search("another").hits.count == 2)
        #expect(try search.search("ada").hits.count == 1)
    }
}
