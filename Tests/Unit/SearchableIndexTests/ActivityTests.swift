import Foundation
import SwitchboardIncrementalIndex
import SwitchboardStorage
import Synchronization
import Testing

@testable import SwitchboardSearchableIndex

@Suite("User activities")
struct ActivityTests {
    private static func watching(_ show: String, _ title: String) -> UserActivity {
        var activity = UserActivity(activityType: "com.example.watching", title: title)
        activity.userInfo = ["show": .string(show)]
        activity.requiredUserInfoKeys = ["show"]
        activity.persistentIdentifier = "watching-\(show)"
        return activity
    }

    @Test("Beginning an activity ends the current one; ending it leaves none")
    func current() throws {
        let test = try TestIndex()
        let activities = UserActivities(index: test.index)
        #expect(try activities.current() == nil)
        try activities.becomeCurrent(Self.watching("1", "Dunes"))
        test.pass(60)
        try activities.becomeCurrent(Self.watching("2", "Harbour"))
        #expect(try activities.current()?.id == "watching-2")
        #expect(try activities.list().map(\.isCurrent) == [true, false])
        #expect(try activities.resignCurrent()?.id == "watching-2")
        #expect(try activities.current() == nil)
        #expect(try activities.resignCurrent() == nil)
        #expect(try activities.becomeCurrent("watching-1").isCurrent)
        #expect(try activities.current()?.endedAt == nil)
    }

    @Test("An invalidated activity cannot become current again")
    func invalidated() throws {
        let test = try TestIndex()
        let activities = UserActivities(index: test.index)
        try activities.becomeCurrent(Self.watching("1", "Dunes"))
        try activities.resignCurrent(invalidating: true)
        #expect(throws: SearchableIndexError.invalidated(id: "watching-1")) {
            try activities.becomeCurrent("watching-1")
        }
        #expect(throws: SearchableIndexError.activityNotFound(id: "x")) { try activities.becomeCurrent("x") }
    }

    @Test("An eligible activity is found with its content attributes until it is deleted or expires")
    func found() throws {
        let test = try TestIndex()
        let activities = UserActivities(index: test.index)
        var activity = Self.watching("1", "Breaking Dunes")
        activity.keywords = ["drama"]
        activity.contentAttributeSet = SearchableItemAttributeSet()
        activity.contentAttributeSet?.contentDescription = "A chemist in the desert"
        try activities.becomeCurrent(activity)
        var secret = Self.watching("2", "Secret Dunes")
        secret.isEligibleForSearch = false
        try activities.becomeCurrent(secret)
        #expect(try test.ids("dunes") == ["activity/watching-1"])
        #expect(try test.ids("drama") == ["activity/watching-1"])
        #expect(try test.search().search("desert").hits.first?.snippet?.text == "A chemist in the desert")
        try activities.delete(["watching-1"])
        #expect(try test.ids("dunes").isEmpty)
        #expect(throws: SearchableIndexError.activityNotFound(id: "watching-1")) {
            try activities.delete(["watching-1"])
        }
        try activities.becomeCurrent(activity)
        test.pass(31 * 86_400)
        #expect(try test.ids("dunes").isEmpty)
        #expect(try activities.list().isEmpty)
    }

    @Test("An activity that begins again without an identifier stays one")
    func again() throws {
        let test = try TestIndex()
        let activities = UserActivities(index: test.index)
        var activity = UserActivity(activityType: "com.example.reading", title: "Chapter 4")
        activity.userInfo = ["book": .string("b1"), "page": .number(12)]
        activity.requiredUserInfoKeys = ["book"]
        let first = try activities.becomeCurrent(activity)
        test.pass(60)
        activity.userInfo["page"] = .number(14)
        let second = try activities.becomeCurrent(activity)
        #expect(second.id == first.id && second.beganAt > first.beganAt)
        #expect(try test.ids("chapter").count == 1)
        #expect(try activities.list().map(\.activity.userInfo["page"]) == [.number(14)])
        // Another type, title, required value, page, target or identifier is another activity.
        let changes: [(inout UserActivity) -> Void] = [
            { $0.activityType = "com.example.writing" }, { $0.title = "Chapter 5" }, { $0.title = nil },
            { $0.userInfo["book"] = .string("b2") }, { $0.requiredUserInfoKeys = [] },
            { $0.webpageURL = "https://example.org/4" }, { $0.targetContentIdentifier = "chapter-4" },
            { $0.persistentIdentifier = "p" },
        ]
        for (number, change) in changes.enumerated() {
            var other = activity
            change(&other)
            for _ in 0..<2 { try activities.becomeCurrent(other) }
            #expect(try activities.list().count == number + 2, "change \(number)")
        }
        // An invalidated one never becomes current again.
        let last = try activities.becomeCurrent(activity)
        #expect(last.id == first.id)
        try activities.resignCurrent(invalidating: true)
        #expect(try activities.becomeCurrent(activity).id != first.id)
    }

    @Test(
        "An activity that has already expired is refused with the reason", arguments: [0, 1, 86_400] as [TimeInterval])
    func expired(_ age: TimeInterval) throws {
        let test = try TestIndex()
        let activities = UserActivities(index: test.index)
        try activities.becomeCurrent(Self.watching("1", "Dunes"))
        var activity = Self.watching("2", "Late")
        activity.expirationDate = test.now.withLock { $0 - age }
        let error = #expect(throws: SearchableIndexError.self) { try activities.becomeCurrent(activity) }
        #expect(error?.details.field == "expirationDate" && error?.message.contains("already passed") == true)
        #expect(try activities.current()?.id == "watching-1" && activities.list().count == 1)
        activity.expirationDate = test.now.withLock { $0 + 1 }
        #expect(try activities.becomeCurrent(activity).id == "watching-2")
    }

    @Test("Continuing leads to the item, web page or activity, and records the engagement")
    func continuing() throws {
        let test = try TestIndex()
        let activities = UserActivities(index: test.index)
        try test.put(#"[{"id": "show", "title": "Breaking Dunes"}, {"id": "other", "title": "Breaking Waves"}]"#)
        func destination(_ change: (inout UserActivity) -> Void) throws -> Continuation.Destination {
            test.pass(60)
            var activity = Self.watching("1", "x")
            change(&activity)
            return try activities.continuation(of: try activities.becomeCurrent(activity).id).destination
        }
        #expect(try destination { _ in } == .activity("watching-1"))
        #expect(try destination { $0.webpageURL = "https://example.org/1" } == .url("https://example.org/1"))
        #expect(
            try destination { $0.targetContentIdentifier = "switchboard://contact/7" }
                == .url("switchboard://contact/7"))
        #expect(try destination { $0.targetContentIdentifier = "show" } == .item("show"))
        #expect(
            try destination {
                $0.contentAttributeSet = SearchableItemAttributeSet()
                $0.contentAttributeSet?.weakRelatedUniqueIdentifier = "other"
            } == .item("other"))
        #expect(try test.ids("breaking").first == "other")
        let item = try activities.continuation(of: "show", query: "bre")
        #expect(item.activity == .choosing(item: "show") && item.destination == .item("show"))
        #expect(try test.ids("bre").first == "show")
        #expect(throws: SearchableIndexError.notFound(id: "nothing")) { try activities.continuation(of: "nothing") }
        #expect(activities.continuation(ofQuery: "du").activity.userInfo["query"] == .string("du"))
    }

    @Test("Continuing an activity without required keys names the missing keys")
    func missingKeys() throws {
        let test = try TestIndex()
        let activities = UserActivities(index: test.index)
        var activity = Self.watching("1", "Dunes")
        activity.requiredUserInfoKeys = ["show", "season", "episode"]
        let id = try activities.becomeCurrent(activity).id
        #expect(throws: SearchableIndexError.missingUserInfo(id: id, keys: ["episode", "season"])) {
            try activities.continuation(of: id)
        }
    }

    @Test("Handoff offers the current activity if it is eligible")
    func handoff() throws {
        let test = try TestIndex()
        let activities = UserActivities(index: test.index)
        var activity = Self.watching("1", "Dunes")
        try activities.becomeCurrent(activity)
        let other = UserActivities(
            index: SearchableIndex(
                storage: try Storage(
                    at: test.folder.appending(path: "a.sqlite").path, migrations: [SearchableIndex.migrations])))
        #expect(try other.handoff()?.id == nil || other.handoff()?.id == "watching-1")
        activity.isEligibleForHandoff = false
        try activities.becomeCurrent(activity)
        #expect(try activities.handoff() == nil)
        #expect(try activities.current() != nil)
    }

    @Test("An item and an activity about it or with the same web page are one result")
    func oneResult() throws {
        let test = try TestIndex()
        let activities = UserActivities(index: test.index)
        try test.put(
            #"""
            [{"id": "show", "domain": "tv", "title": "Breaking Dunes"},
             {"id": "page", "title": "Dunes of the world", "url": "https://example.org/dunes/"}]
            """#)
        var related = Self.watching("1", "Dunes, episode 4")
        related.contentAttributeSet = SearchableItemAttributeSet()
        related.contentAttributeSet?.relatedUniqueIdentifier = "show"
        try activities.becomeCurrent(related)
        var paged = Self.watching("2", "Dunes on the web")
        paged.webpageURL = "https://example.org/dunes#top"
        try activities.becomeCurrent(paged)
        #expect(try Set(test.ids("dunes")).count == 2)
        #expect(try test.ids("dunes", limit: 2).count == 2)
        #expect(try test.ids("episode") == ["activity/watching-1"])
        // Deleting the item deletes the activity about it, but not one with the same web page.
        try test.index.deleteItems(inDomains: ["tv"])
        #expect(try test.ids("episode").isEmpty)
        #expect(try activities.list().map(\.id) == ["watching-2"])
    }

    @Test("Activities round-trip through JSON; errors have positions")
    func json() throws {
        let text = #"""
            {"activityType": "com.example.show", "title": "T", "userInfo": {"a": [1, true, {"$date": "2026-11-21T09:00:00Z"}],
             "b": {"$url": "https://example.org"}, "c": {"d": "e", "f": null}, "g": {"$data": "AQI="}}, "requiredUserInfoKeys": ["a"],
             "keywords": ["k"], "webpageURL": "https://example.org/1", "persistentIdentifier": "p", "expirationDate": "2027-01-01",
             "eligibleForHandoff": false, "eligibleForPublicIndexing": true, "contentAttributeSet": {"domain": "tv", "rating": 4}}
            """#
        let activity = try UserActivity(json: Array(text.utf8))
        #expect(activity.userInfo["c"] == .dictionary(["d": .string("e")]))
        #expect(activity.domainIdentifier == "tv" && activity.contentAttributeSet?.rating == 4)
        let written = try JSONEncoder().encode(activity)
        #expect(try UserActivity(json: Array(written)) == activity)
        for (text, line, column) in [
            ("{", 1, 2), ("[]", 1, 1), ("{}", 1, 1), (#"{"activityType": 3}"#, 1, 2),
            ("{\"activityType\": \"a\",\n \"user\": {}}", 2, 2),
            (#"{"activityType": "a", "webpageURL": "nowhere"}"#, 1, 23),
            (#"{"activityType": "a", "userInfo": {"x": {"$date": "never"}}}"#, 1, 42),
            (#"{"activityType": "a", "contentAttributeSet": {"rating": "x"}}"#, 1, 47),
        ] {
            #expect {
                _ = try UserActivity(json: Array(text.utf8))
            } throws: { error in
                guard let fault = error as? ItemError else { return false }
                #expect(fault.line == line && fault.column == column, "\(text) \(fault)")
                return true
            }
        }
    }
}

@Suite("Public index")
struct PublicIndexTests {
    private static func entry(_ page: String = "https://example.org/1", title: String = "Dunes") -> PublicEntry? {
        var activity = UserActivity(activityType: "com.example.watching", title: title)
        activity.webpageURL = page
        activity.isEligibleForPublicIndexing = true
        activity.userInfo = ["secret": .string("hidden word")]
        activity.contentAttributeSet = SearchableItemAttributeSet()
        activity.contentAttributeSet?.authorNames = ["hidden author"]
        return PublicEntry(activity)
    }

    private static func index(_ test: TestIndex, threshold: Int) -> PublicIndex {
        PublicIndex(storage: test.storage, threshold: threshold, clock: { test.now.withLock { $0 } }) {
            person, target in
            // Sufficient for a test; the server uses a keyed hash.
            Data("\(person)|\(target)".utf8)
        }
    }

    @Test("An entry becomes public at the threshold of different users, without private attributes")
    func threshold() throws {
        let test = try TestIndex()
        let shared = Self.index(test, threshold: 3)
        let entry = try #require(Self.entry())
        for person in ["ana", "ana", "ben", "ben"] { #expect(try shared.engage(with: entry, by: person) == false) }
        #expect(try test.search("public").search("dunes").hits.isEmpty)
        #expect(try shared.engage(with: entry, by: "cem"))
        let hits = try test.search("public").search("dunes").hits
        #expect(hits.map(\.item.uniqueIdentifier) == ["https://example.org/1"])
        #expect(hits.first?.item.attributeSet.attributes == [.title, .url])
        #expect(try test.search("public").search("hidden").hits.isEmpty)
    }

    @Test("Entries can be withdrawn permanently, and votes expire")
    func withdrawn() throws {
        let test = try TestIndex()
        let shared = Self.index(test, threshold: 2)
        let entry = try #require(Self.entry())
        for person in ["ana", "ben"] { try shared.engage(with: entry, by: person) }
        try shared.withdraw(entry.target)
        #expect(try test.search("public").search("dunes").hits.isEmpty)
        for person in ["ana", "ben", "cem"] { #expect(try shared.engage(with: entry, by: person) == false) }
        let other = try #require(Self.entry("https://example.org/2"))
        try shared.engage(with: other, by: "ana")
        test.pass(31 * 86_400)
        #expect(try shared.engage(with: other, by: "ben") == false)
        #expect(try shared.engage(with: other, by: "ana"))
    }

    @Test("Ineligible content and content without a web page is never public")
    func eligible() {
        var activity = UserActivity(activityType: "a", title: "t")
        activity.webpageURL = "https://example.org"
        #expect(PublicEntry(activity) == nil)
        #expect(Self.entry("switchboard://contact/1") == nil)
        var set = SearchableItemAttributeSet()
        set.title = "t"
        set.url = "https://example.org"
        #expect(PublicEntry(SearchableItem(attributeSet: set)) == nil)
        set.eligibleForPublicIndexing = true
        #expect(PublicEntry(SearchableItem(attributeSet: set)) != nil)
    }
}
