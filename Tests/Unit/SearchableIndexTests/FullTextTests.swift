import Foundation
import GRDB
import SwitchboardIncrementalIndex
import SwitchboardTestSupport
import Testing

@testable import SwitchboardSearchableIndex
@testable import SwitchboardStorage

@Suite("Full texts")
struct FullTextTests {
    @Test(
        "Words within runs of scripts without spaces are found",
        arguments: [
            ("今天天气很好", ["天气", "今天", "很好", "气", "天天气"]), ("東京都庁で会議をしました", ["会議", "都庁", "東京", "東京都", "会議を"]),
            ("國立臺灣圖書館今天休館", ["圖書館", "臺灣", "休館"]), ("駅前でアルバイトを始めた", ["アルバイト", "駅前", "ｱﾙﾊﾞｲﾄ"]),
            // Lines are wrapped anywhere.
            ("明天下午的会\n议取消了", ["会议", "下午", "取消"]), ("明天下午的会\r\n议取消了", ["会议"]),
            ("新しいiPhone15を買った", ["iphone15", "買った", "新しい"]),
            ("ไปเที่ยวเชียงใหม่กับครอบครัว", ["เชียงใหม่", "ครอบครัว", "เที่ยว"]),
            ("국립중앙박물관에서 만나요", ["국립", "국립중앙박물관", "만나"]), ("𠮷野家で昼ご飯", ["𠮷野家", "昼ご飯", "𠮷"]),
        ])
    func runs(_ text: String, _ words: [String]) throws {
        let test = try TestIndex()
        try put(text, as: "a", in: test)
        try put("別の話 unrelated 관계없는 글", as: "b", in: test)
        for word in words { #expect(try test.ids(word) == ["a"], "\(word)") }
    }

    @Test(
        "Letters without decomposition, ligatures and points are folded like those of titles",
        arguments: [
            (
                "Łódź Ørsted Straße ﬁnancial œuvre Ёлка نَص Þór naïve",
                [
                    "lodz", "orsted", "oersted", "strasse", "financial", "oeuvre", "елка", "نص", "thor", "naive",
                    "Łódź",
                    "ёлка", "þór", "œuvre",
                ]
            ),
            ("Đorđe Dvořák İstanbul Æsir Strauß ﬂuid", ["dorde", "dvorak", "istanbul", "aesir", "strauss", "fluid"]),
            ("driver’s l’imbroglio e-mail", ["driver", "imbroglio", "driver's", "e-mail", "mail"]),
            ("Ａｂｃ № ５ ½ cm²", ["abc", "5", "no"]), ("שָׁלוֹם עולם", ["שלום", "עולם"]), ("كتابٌ جديد", ["كتاب", "جديد"]),
        ])
    func folding(_ text: String, _ words: [String]) throws {
        let test = try TestIndex()
        try put(text, as: "a", in: test)
        for word in words { #expect(try test.ids(word) == ["a"], "\(word)") }
        // The same words find the text as a title.
        try test.index.deleteAllItems()
        try test.index.put([item("a") { $0.title = text }])
        for word in words { #expect(try test.ids(word) == ["a"], "title: \(word)") }
    }

    @Test("All words must occur, letters of runs must be neighbors, and the excerpt has the most words")
    func several() throws {
        let test = try TestIndex()
        let filler = String(repeating: "other words ", count: 100)
        try put("flour \(filler) flour and sugar \(filler)", as: "a", in: test)
        try put("气温与天空", as: "b", in: test)
        #expect(try test.ids("sugar flour") == ["a"] && test.ids("flour salt").isEmpty && test.ids("天气").isEmpty)
        #expect(try test.ids("天空 气温") == ["b"])
        let snippet = try #require(try test.search().search("flour sugar").hits.first?.snippet)
        let scalars = Array(snippet.text.unicodeScalars)
        #expect(
            snippet.highlights.map { String(String.UnicodeScalarView(scalars[$0])) }.prefix(2) == ["flour", "sugar"])
    }

    @Test("A misspelt word of any alphabet is corrected if nothing else is found")
    func spelling() throws {
        let test = try TestIndex()
        try put("Библиотека закрыта. Die Bücherei öffnet.", as: "a", in: test)
        #expect(try test.ids("библиатека") == ["a"] && test.ids("bucheerei") == ["a"] && test.ids("bibliothek").isEmpty)
    }

    @Test("A replaced or deleted text is no longer found by its words")
    func replaced() throws {
        let test = try TestIndex()
        try put("会議 wombat", as: "a", in: test)
        try put("雨 heron", as: "a", in: test)
        #expect(try test.ids("wombat").isEmpty && test.ids("会議").isEmpty && test.ids("heron") == ["a"])
        try test.index.put([item("a") { $0.title = "Bird" }])
        #expect(try test.ids("heron").isEmpty && terms(test.storage) == 0)
        try put("heron", as: "b", in: test)
        try test.index.deleteItems(withIdentifiers: ["b"])
        #expect(try terms(test.storage) == 0)
    }

    // MARK: - Databases of earlier versions

    private static let count = 700

    /// Creates a database of the version before terms were stored, with many texts.
    private func makeOldDatabase(at path: String) throws {
        let old = ModuleMigrations(
            module: SearchableIndex.module, Array(SearchableIndex.migrations.steps.prefix { $0.name != "4-terms" }))
        let storage = try Storage(at: path, migrations: [old])
        try storage.write(changing: SearchableIndex.module) { db in
            try db.execute(
                sql: "INSERT INTO item_index VALUES (1, ?, NULL)", arguments: [SearchableIndex.defaultName])
            for key in 1...Self.count {
                let set = item("\(key)") { $0.title = "Text \(key)" }.attributeSet
                try db.execute(
                    sql: """
                        INSERT INTO item (key, indexKey, id, rankingHint, useCount, attributes)
                        VALUES (?, 1, ?, 50, 0, ?)
                        """, arguments: [key, "\(key)", Data(AttributeCoder.encoded(set, without: .textContent))])
                try db.execute(
                    sql: "INSERT INTO item_text VALUES (?, ?)", arguments: [key, "naïve word\(key) Straße 今天天气很好"])
            }
        }
        storage.close()
    }

    private func open(_ path: String) throws -> (storage: Storage, index: SearchableIndex) {
        let storage = try Storage(at: path, migrations: [SearchableIndex.migrations])
        return (storage, SearchableIndex(storage: storage))
    }

    private func isRefolded(_ storage: Storage) throws -> Bool {
        try storage.read { db in try !BodyRefolding.isNeeded(in: db) }
    }

    private func terms(_ storage: Storage) throws -> Int {
        try storage.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM item_terms") ?? -1 }
    }

    /// Counts the hits without storing terms, which a reading transaction forbids.
    private func count(_ text: String, _ index: SearchableIndex) throws -> Int {
        try index.storage.read { _ in try ItemSearch(index: index, rebuildsInBackground: false).count(text) }
    }

    @Test("The first search of a database of an earlier version stores the terms in the background")
    func background() throws {
        let test = try TestIndex()
        let path = test.folder.appending(path: "old.sqlite").path
        try makeOldDatabase(at: path)
        let (storage, index) = try open(path)
        #expect(try !isRefolded(storage) && terms(storage) == 0)
        // Until then, texts are found as before.
        #expect(try count("naive", index) == Self.count && count("word7", index) == 12 && count("strasse", index) == 0)
        let search = ItemSearch(index: index, rebuildsInBackground: true)
        #expect(try search.search("word700").hits.map(\.item.uniqueIdentifier) == ["700"])
        try eventually("the terms are stored") { try isRefolded(storage) }
        #expect(try terms(storage) == Self.count)
        for word in ["naive", "strasse", "天气", "straße"] { #expect(try count(word, index) == Self.count, "\(word)") }
        #expect(try count("word69", index) == 11)
    }

    @Test("Other processes change and search texts between the transactions, and nothing is lost")
    func concurrentChanges() throws {
        let test = try TestIndex()
        let path = test.folder.appending(path: "old.sqlite").path
        try makeOldDatabase(at: path)
        let (storage, index) = try open(path)
        let (other, _) = try open(path)
        #expect(try BodyRefolding.run(in: storage))
        #expect(try count("naive", index) == Self.count)
        // Changed before and after their terms were stored.
        for id in ["1", "699"] { try index.put([item(id) { $0.textContent = "axolotl" }]) }
        for id in ["2", "698"] { try index.deleteItems(withIdentifiers: [id]) }
        for id in ["3", "697"] { try index.put([item(id) { $0.title = "No text" }]) }
        func check() throws {
            #expect(try count("naive", index) == Self.count - 6 && count("axolotl", index) == 2)
        }
        try check()
        while try BodyRefolding.run(in: other) { try check() }
        try check()
        #expect(try isRefolded(storage) && terms(storage) == Self.count - 4 && count("天气", index) == Self.count - 6)
        let old = try storage.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM item_body_docsize") }
        #expect(old == 0)
    }

    @Test("A short-lived program stores some terms at each search")
    func shortLived() throws {
        let test = try TestIndex()
        let path = test.folder.appending(path: "old.sqlite").path
        try makeOldDatabase(at: path)
        let (storage, index) = try open(path)
        let search = ItemSearch(index: index, rebuildsInBackground: false)
        #expect(try search.search("title").hits.isEmpty && isRefolded(storage))
        #expect(try search.count("天气") == Self.count)
    }

    // MARK: - Items

    private func item(_ id: String, _ change: (inout SearchableItemAttributeSet) -> Void) -> SearchableItem {
        var item = SearchableItem(uniqueIdentifier: id, attributeSet: SearchableItemAttributeSet())
        change(&item.attributeSet)
        return item
    }

    private func put(_ text: String, as id: String, in test: TestIndex) throws {
        try test.index.put([item(id) { $0.textContent = text }])
    }
}
