import Foundation
import Testing

@testable import SwitchboardSearchableIndex

@Suite("Limits of items and activities")
struct ItemLimitTests {
    private static func text(_ count: Int) -> String { String(repeating: "a", count: count) }

    @Test(
        "An attribute that is too long is rejected with its name",
        arguments: [
            ("title", 8 << 10), ("contentDescription", 64 << 10), ("textContent", 1 << 20), ("namedLocation", 8 << 10),
            ("custom.course", 64 << 10),
        ] as [(String, Int)])
    func attributes(name: String, limit: Int) throws {
        let test = try TestIndex()
        func json(_ text: String) -> String {
            let key = name.split(separator: ".").last ?? ""
            let member = "\"\(key)\": \"\(text)\""
            return "{\"id\": \"a\", " + (name.hasPrefix("custom") ? "\"custom\": {\(member)}}" : member + "}")
        }
        #expect(try test.put(json(Self.text(limit))).indexed == 1)
        let error = #expect(throws: SearchableIndexError.self) { try test.put(json(Self.text(limit + 1))) }
        #expect(error?.details.field == name, "\(String(describing: error))")
        #expect(error?.message.hasSuffix("iB; shorten it") == true, "\(String(describing: error))")
    }

    @Test("Long lists, identifiers and domains, and items that are too large as a whole are rejected")
    func whole() throws {
        let test = try TestIndex()
        func rejected(_ field: String?, _ change: (inout SearchableItem) -> Void) throws {
            var item = SearchableItem(uniqueIdentifier: "a", attributeSet: SearchableItemAttributeSet())
            change(&item)
            let error = #expect(throws: SearchableIndexError.self) { try test.index.put([item]) }
            #expect(error?.details.field == field, "\(String(describing: error))")
        }
        try rejected("keywords") { $0.attributeSet.keywords = (0...1_000).map(String.init) }
        try rejected("id") { $0.uniqueIdentifier = Self.text(1_001) }
        try rejected("domain") { $0.domainIdentifier = Self.text(1_001) }
        try rejected("thumbnailData") { $0.attributeSet.thumbnailData = Data(count: 1 << 20 + 1) }
        try rejected("authors") { $0.attributeSet[.authors] = [.person(IndexedPerson(name: Self.text(8_193)))] }
        try rejected(nil) { $0.attributeSet.keywords = (0..<200).map { Self.text(8_000) + String($0) } }
        try rejected("custom") { item in
            for number in 0...1_000 { item.attributeSet.custom["a\(number)"] = [.number(1)] }
        }
        #expect(throws: SearchableIndexError.self) { try ItemOwner(domain: Self.text(1_001), application: "a") }
        #expect(throws: SearchableIndexError.self) {
            try ItemOwner(domain: "a", application: "a", urlTemplate: "a:" + Self.text(9_000) + "{id}")
        }
    }

    @Test("An update that would make an item too large changes nothing")
    func updates() throws {
        let test = try TestIndex()
        try test.put(#"{"id": "a", "title": "Dunes"}"#)
        let title = Self.text(8_193)
        #expect(throws: SearchableIndexError.self) {
            try test.put(#"{"id": "a", "isUpdate": true, "title": "\#(title)"}"#)
        }
        #expect(try test.index.item("a").attributeSet.title == "Dunes")
    }

    @Test("A field of an activity that is too long is rejected with its name")
    func activities() throws {
        let activities = UserActivities(index: try TestIndex().index)
        func rejected(_ field: String, _ change: (inout UserActivity) -> Void) throws {
            var activity = UserActivity(activityType: "com.example.watching", title: "Dunes")
            // Activities that searches do not find have the same limits.
            activity.isEligibleForSearch = false
            change(&activity)
            let error = #expect(throws: SearchableIndexError.self) { try activities.becomeCurrent(activity) }
            #expect(error?.details.field == field, "\(String(describing: error))")
        }
        try rejected("activityType") { $0.activityType = Self.text(1_025) }
        try rejected("title") { $0.title = Self.text(8_193) }
        try rejected("userInfo") { $0.userInfo = ["a": .string(Self.text(64 << 10))] }
        try rejected("requiredUserInfoKeys") { $0.requiredUserInfoKeys = Set((0...1_000).map(String.init)) }
        try rejected("keywords") { $0.keywords = [Self.text(8_193)] }
        try rejected("webpageURL") { $0.webpageURL = "https://example.org/" + Self.text(8_192) }
        try rejected("persistentIdentifier") { $0.persistentIdentifier = Self.text(1_001) }
        try rejected("contentDescription") { activity in
            var set = SearchableItemAttributeSet()
            set.contentDescription = Self.text((64 << 10) + 1)
            activity.contentAttributeSet = set
        }
        #expect(try activities.list().isEmpty)
    }
}
