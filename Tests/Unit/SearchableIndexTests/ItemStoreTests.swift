import Foundation
import GRDB
import SwitchboardIncrementalIndex
import Synchronization
import Testing

@testable import SwitchboardSearchableIndex
@testable import SwitchboardStorage

extension PutReport {
    fileprivate init(indexed: Int = 0, updated: Int = 0) {
        self.init()
        self.indexed = indexed
        self.updated = updated
    }
}

@Suite("Item store")
struct ItemStoreTests {
    private static func item(_ id: String?, _ title: String, domain: String? = nil) -> SearchableItem {
        var set = SearchableItemAttributeSet()
        set.title = title
        return SearchableItem(uniqueIdentifier: id, domainIdentifier: domain, attributeSet: set)
    }

    @Test("Items round-trip with every attribute")
    func roundTrip() throws {
        let test = try TestIndex()
        var set = SearchableItemAttributeSet()
        for attribute in Attribute.allCases {
            let value: AttributeValue =
                switch attribute.kind {
                case .text: .text("Ünïcode \(attribute.name)")
                case .url: .text("https://example.org/\(attribute.name)")
                case .number: .number(Double(attribute.rawValue) + 0.5)
                case .date: .date(Date(timeIntervalSinceReferenceDate: Double(attribute.rawValue) * 1e6))
                case .flag: .flag(attribute.rawValue % 2 == 0)
                case .data: .data(Data([0, 1, 255]))
                case .person: .person(IndexedPerson(name: "Ada", phones: ["+1 2"], emails: ["a@example.org"]))
                }
            set[attribute] = attribute.isList ? [value, value] : [value]
        }
        set.custom = ["channel": [.text("ARTE")], "seasons": [.number(3), .number(4)], "hd": [.flag(true)]]
        let expiry = Date(timeIntervalSince1970: 1_900_000_000)
        let item = SearchableItem(
            uniqueIdentifier: "a/b?c=ü", domainIdentifier: "tv.shows", attributeSet: set, expiration: .at(expiry))
        #expect(try test.index.put([item]) == PutReport(indexed: 1))
        #expect(try test.index.item("a/b?c=ü").item == item)
        let json = try JSONEncoder().encode(test.index.item("a/b?c=ü"))
        let other = try TestIndex()
        try other.put(String(decoding: json, as: UTF8.self).replacing("\"useCount\":0,", with: ""))
        #expect(try other.index.item("a/b?c=ü").item.attributeSet == set)
    }

    @Test("Items get an identifier and expire after a month by default")
    func defaults() throws {
        let test = try TestIndex()
        let item = Self.item(nil, "Dunes")
        #expect(UUID(uuidString: item.uniqueIdentifier) != nil)
        try test.index.put([item])
        let stored = try test.index.item(item.uniqueIdentifier)
        #expect(stored.item.expirationDate == test.now.withLock { $0 + 30 * 86_400 })
    }

    @Test("A put replaces the whole item; an update changes attributes, and null removes them")
    func replacing() throws {
        let test = try TestIndex()
        try test.put(
            #"{"id": "a", "title": "One", "keywords": ["x"], "rating": 4, "custom": {"k": "v"}, "textContent": "body"}"#
        )
        #expect(
            try test.put(
                #"{"id": "a", "isUpdate": true, "title": "Two", "rating": null, "custom": {"k": null}}"#)
                == PutReport(updated: 1))
        var set = try test.index.item("a").item.attributeSet
        #expect(set.title == "Two" && set.keywords == ["x"] && set.rating == nil && set.custom.isEmpty)
        #expect(set.textContent == "body")
        try test.put(#"{"id": "a", "title": "Three"}"#)
        set = try test.index.item("a").item.attributeSet
        #expect(set.attributes == [.title] && set.title == "Three")
        #expect(try test.ids("body").isEmpty)
        #expect(try test.index.count() == 1)
    }

    @Test("The last of several puts of an item in one call wins")
    func repeated() throws {
        let test = try TestIndex()
        try test.put(#"[{"id": "a", "title": "One"}]"#)
        let again =
            #"[{"id": "a", "title": "Two"}, {"id": "a", "title": "Three"}, {"id": "a", "isUpdate": true, "rating": 1}]"#
        #expect(try test.put(again) == PutReport(indexed: 2, updated: 1))
        #expect(try test.ids("three") == ["a"])
        #expect(try test.ids("two").isEmpty)
    }

    @Test("An update of a missing item rejects the whole call")
    func absentUpdate() throws {
        let test = try TestIndex()
        #expect {
            try test.put(#"[{"id": "a", "title": "A"}, {"id": "b", "isUpdate": true, "title": "B"}]"#)
        } throws: { error in
            guard case .invalidItem(let fault)? = error as? SearchableIndexError else { return false }
            return fault.item == "b"
        }
        #expect(try test.index.count() == 0)
    }

    @Test("Deleting a domain includes subdomains only")
    func domains() throws {
        let test = try TestIndex()
        try test.index.put([
            Self.item("1", "a", domain: "account"), Self.item("2", "b", domain: "account.mailbox"),
            Self.item("3", "c", domain: "accounts"), Self.item("4", "d"), Self.item("5", "e", domain: "account-x"),
        ])
        // A domain that no item can have, and domains that contain each other.
        #expect(try test.index.deleteItems(inDomains: ["account\0", "account.\"", ""]) == [])
        #expect(try test.index.deleteItems(inDomains: ["account.mailbox", "account", "missing"]) == ["1", "2"])
        var rest: [String] = []
        try test.index.forEach {
            rest.append($0.item.uniqueIdentifier)
            return true
        }
        #expect(rest == ["3", "4", "5"])
        #expect(throws: SearchableIndexError.notFound(id: "9")) {
            try test.index.deleteItems(withIdentifiers: ["3", "9"])
        }
        #expect(try test.index.count() == 3)
        try test.index.deleteItems(withIdentifiers: ["3", "3"])
        #expect(try test.index.deleteAllItems() == ["4", "5"])
        #expect(try test.index.count() == 0)
    }

    @Test("Expired items are not found, and are listed in the statistics")
    func expiry() throws {
        let test = try TestIndex()
        try test.put(
            #"""
            [{"id": "short", "title": "Dunes", "expiresAt": "2027-01-15T09:00:00Z"},
             {"id": "usual", "title": "Dunes"}, {"id": "long", "title": "Dunes", "expiresAt": null}]
            """#)
        #expect(try test.ids("dunes") == ["short", "usual", "long"])
        test.pass(86_400)
        #expect(try test.ids("dunes") == ["usual", "long"])
        #expect(try test.index.stats().expired.map(\.id) == ["short"])
        test.pass(30 * 86_400)
        #expect(throws: SearchableIndexError.notFound(id: "usual")) { try test.index.item("usual") }
        #expect(try test.ids("dunes") == ["long"])
        #expect(try test.index.search(AttributeQuery("title == *")).map(\.item.uniqueIdentifier) == ["long"])
    }

    @Test("Many items expire at once, and the last thousand are recorded")
    func expiringTogether() throws {
        let test = try TestIndex()
        try test.index.put((0..<2_500).map { Self.item("\($0)", "t") })
        test.pass(31 * 86_400)
        #expect(try test.ids("t").isEmpty)
        #expect(try test.index.count() == 0)
        let recorded = try test.storage.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM item_expired") }
        #expect(recorded == 1_000)
    }

    @Test("A file from before the primary key of expired items keeps them")
    func expiredKeys() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "a.sqlite").path
        let former = ModuleMigrations(
            module: SearchableIndex.migrations.module,
            Array(SearchableIndex.migrations.steps.prefix { $0.name != "3-expired-keys" }))
        do {
            let storage = try Storage(at: path, migrations: [former])
            try storage.write { db in
                try db.execute(
                    sql: """
                        INSERT INTO item_index (name) VALUES ('default');
                        INSERT INTO item_expired SELECT key, 'old', 'notes', 'Old', 1e9 FROM item_index;
                        INSERT INTO item_expired SELECT key, 'older', NULL, NULL, 9e8 FROM item_index;
                        """)
            }
        }
        let storage = try Storage(at: path, migrations: [SearchableIndex.migrations])
        let expired = try SearchableIndex(storage: storage).stats().expired
        #expect(expired.map(\.id) == ["old", "older"])
        #expect(expired.map(\.domain) == ["notes", nil] && expired.map(\.title) == ["Old", nil])
        #expect(expired.map(\.expiredAt.timeIntervalSince1970) == [1e9, 9e8])
        #expect(try storage.check().isSound)
    }

    @Test("Many items are indexed before they are committed, so that no search waits for them")
    func manyItems() throws {
        let test = try TestIndex()
        func put(_ numbers: Range<Int>) throws {
            try test.put(
                "[\(numbers.map { "{\"id\": \"\($0)\", \"title\": \"Title \($0)\"}" }.joined(separator: ","))]")
        }
        let recent = test.folder.appending(path: "a.index/items-1-recent.index").path
        // The items of a search that exists are followed.
        let search = test.search()
        try put(0..<3_000)
        #expect(try search.search("title 2999").hits.first?.item.uniqueIdentifier == "2999")
        #expect(!FileManager.default.fileExists(atPath: recent))
        try put(3_000..<3_600)
        #expect(FileManager.default.fileExists(atPath: recent))
        #expect(try search.search("title 3599").hits.first?.item.uniqueIdentifier == "3599")
        #expect(try test.ids("title 3001", limit: 1) == ["3001"])
    }

    @Test("The index reads items by key, without a pass over the others or a sort", arguments: [false, true])
    func plan(areAll: Bool) throws {
        let sql = "EXPLAIN QUERY PLAN " + ItemIndexSource.items(areAll: areAll)
        let plan = try TestIndex().index.storage.read { db in
            try Row.fetchAll(db, sql: sql, arguments: areAll ? [1] : [1, "[]"]).map { $0["detail"] as String }
        }
        #expect(plan.first == (areAll ? "SCAN item" : "SEARCH item USING INTEGER PRIMARY KEY (rowid=?)"))
        #expect(!plan.joined().contains("TEMP B-TREE"))
    }

    @Test("Client states are stored with items, compared and limited in length")
    func clientState() throws {
        let test = try TestIndex()
        var options = PutOptions()
        options.clientState = "change 7"
        options.expectedState = ""
        #expect(try test.put(#"{"id": "a"}"#, options: options).clientState == "change 7")
        options.expectedState = "change 6"
        options.clientState = "change 8"
        #expect(throws: SearchableIndexError.mismatchedClientState(expected: "change 6", found: "change 7")) {
            try test.put(#"{"id": "b"}"#, options: options)
        }
        #expect(try test.index.clientState() == "change 7")
        #expect(try test.index.count() == 1)
        options.expectedState = "change 7"
        options.clientState = String(repeating: "é", count: 125)
        #expect(try test.put("[]", options: options).clientState == options.clientState)
        options.clientState = String(repeating: "x", count: 300)
        #expect(throws: SearchableIndexError.invalidClientState(bytes: 300)) {
            try test.put(#"{"id": "b"}"#, options: options)
        }
    }

    @Test("Complete batches are kept, and the client state counts their items")
    func batches() throws {
        let test = try TestIndex()
        let lines = (1...25).map { #"{"id": "\#($0)", "title": "t\#($0)"}"# } + [#"{"id": 26}"#]
        var options = PutOptions()
        options.batchSize = 10
        options.clientState = "at {n}"
        #expect(throws: SearchableIndexError.self) { try test.put(lines.joined(separator: "\n"), options: options) }
        // The invalid item is parsed ahead, possibly before the first batch is stored.
        let count = try test.index.count()
        #expect(count % 10 == 0)
        #expect(try test.index.clientState() == (count == 0 ? nil : "at \(count)"))
        #expect(try test.put(lines.dropLast().joined(separator: "\n"), options: options).indexed == 25)
        #expect(try test.index.clientState() == "at 25")
    }

    @Test("Named indexes are independent")
    func names() throws {
        let test = try TestIndex()
        try test.index("mail").put([Self.item("a", "letter")])
        try test.index("notes").put([Self.item("a", "note"), Self.item("b", "letter")])
        #expect(try test.search("mail").search("letter").hits.map(\.item.uniqueIdentifier) == ["a"])
        #expect(try test.search("notes").search("letter").hits.map(\.item.uniqueIdentifier) == ["b"])
        #expect(try test.search("other").search("letter").hits.isEmpty)
        try test.index("notes").deleteAllItems()
        #expect(try test.index("mail").count() == 1)
        #expect(try test.index("mail").stats().indexes == ["mail", "notes"])
        #expect(throws: SearchableIndexError.invalidName("a/b")) { try test.index("a/b").put([]) }
    }

    @Test("Custom attributes have one type, and are searchable if declared so")
    func customAttributes() throws {
        let test = try TestIndex()
        try test.put(#"{"id": "a", "title": "x", "custom": {"channel": "ARTE"}}"#)
        #expect(try test.ids("arte").isEmpty)
        try test.index.declare(CustomAttribute(key: "channel", type: .text, isSearchable: true))
        #expect(try test.ids("arte") == ["a"])
        #expect(throws: SearchableIndexError.self) { try test.put(#"{"id": "b", "custom": {"channel": 3}}"#) }
        #expect(throws: SearchableIndexError.typeMismatch(attribute: "channel", existing: "text")) {
            try test.index.declare(CustomAttribute(key: "channel", type: .number))
        }
        let query = try AttributeQuery("channel == 'arte'c", attributes: test.index.attributeTypes())
        #expect(try test.index.search(query).count == 1)
    }

    @Test("A cancelled put stores nothing")
    func cancelled() throws {
        let test = try TestIndex()
        var options = PutOptions()
        options.isCancelled = { true }
        #expect(throws: CancellationError.self) { try test.put(#"{"id": "a"}"#, options: options) }
        #expect(try test.index.count() == 0)
    }

    @Test("Only corrupt items are requested from the delegate")
    func reindexing() throws {
        final class App: SearchableIndexDelegate {
            func reindexItems(withIdentifiers ids: [String], in index: SearchableIndex) throws {
                try index.put(ids.map { ItemStoreTests.item($0, "again \($0)") })
            }
        }
        let test = try TestIndex()
        try test.index.put((1...5).map { Self.item("\($0)", "title \($0)") })
        #expect(try test.index.requestReindexing(from: App()).isEmpty)
        try test.storage.write { db in
            try db.execute(sql: "UPDATE item SET attributes = x'01' || x'01FF' WHERE id = '2'")
            try db.execute(sql: "UPDATE item SET attributes = x'' WHERE id = '4'")
        }
        #expect(try test.index.requestReindexing(from: App()) == ["2", "4"])
        #expect(try test.ids("again") == ["2", "4"])
        #expect(try test.index.requestReindexing(from: App()).isEmpty)
    }

    @Test("Large texts are found with a snippet, after titles")
    func largeTexts() throws {
        let test = try TestIndex()
        let filler = String(repeating: "Lorem ipsum dolor sit amet, consectetur adipiscing elit. ", count: 6_000)
        var items: [SearchableItem] = []
        for number in 0..<8 {
            var item = Self.item("\(number)", "Document \(number)")
            item.attributeSet.textContent = filler + "The axolotl sleeps. " + filler + "needle\(number)"
            items.append(item)
        }
        var title = Self.item("title", "Axolotl")
        title.attributeSet.rankingHint = 0
        try test.index.put(items + [title])
        #expect(try test.ids("axolotl").first == "title")
        #expect(try test.ids("axolotl").count == 9)
        #expect(try test.ids("needle7") == ["7"])
        let snippet = try #require(try test.search().search("axolotl", limit: 2).hits.last?.snippet)
        #expect(snippet.text.contains("axolotl") && snippet.text.unicodeScalars.count < 400)
        #expect(try test.index.item("3").item.attributeSet.textContent?.utf8.count ?? 0 > 600_000)
    }

    @Test("Truncated and corrupt attributes decode without a trap")
    func corruptBytes() throws {
        var set = SearchableItemAttributeSet()
        set.title = "Dunes"
        set.keywords = ["a", "b"]
        set.authors = [IndexedPerson(name: "Ada", phones: ["1"], emails: ["2"])]
        set.rating = 3
        set.custom = ["k": [.text("v")]]
        let bytes = Data(AttributeCoder.encoded(set))
        #expect(AttributeCoder.decoded(bytes) == set)
        for count in 0..<bytes.count { _ = AttributeCoder.decoded(bytes[..<count]) }
        var random = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            var corrupt = bytes
            for _ in 0..<3 { corrupt[Int.random(in: 0..<corrupt.count, using: &random)] = .random(in: 0...255) }
            _ = AttributeCoder.decoded(corrupt)
        }
    }
}
