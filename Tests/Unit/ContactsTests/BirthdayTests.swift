import Foundation
import GRDB
import SwitchboardStorage
import Testing

@testable import SwitchboardContacts

@Suite("Groups, birthdays and photos")
struct BirthdayTests {
    private func book(_ birthdays: [(String, String)]) throws -> ContactBook {
        let book = try emptyBook()
        for (name, birthday) in birthdays {
            var contact = ContactBookTests.contact(name)
            contact.birthday = birthday
            _ = try book.add(contact)
        }
        return book
    }

    @Test("lists upcoming birthdays with and without a year, across the end of the year")
    func upcoming() throws {
        let book = try book([
            ("Today", "1980-11-21"), ("Yesterday", "1980-11-20"), ("No year", "--12-31"), ("January", "1999-01-01"),
            ("Unborn", "2030-11-22"), ("Words", "circa 1800"), ("No day", "--02-30"), ("Same day", "2000-12-31"),
        ])
        let today = try #require(CalendarDay("2026-11-21"))
        let upcoming = try book.birthdays(from: today, days: 41)
        #expect(upcoming.map(\.contact.displayName) == ["Today", "Unborn", "No year", "Same day", "January"])
        #expect(upcoming.map(\.daysLeft) == [0, 1, 40, 40, 41])
        #expect(upcoming.map(\.age) == [46, nil, nil, 26, 28])
        #expect(upcoming.map(\.date) == ["2026-11-21", "2026-11-22", "2026-12-31", "2026-12-31", "2027-01-01"])
        #expect(try book.birthdays(from: today, days: 0).count == 1)
        #expect(try book.birthdays(from: today, days: .max).map(\.contact.displayName).last == "Yesterday")
        #expect(try book.birthdays(from: today, days: -3).count == 1)
    }

    @Test("finds contacts by a typed birthday, but not by digits alone")
    func bornOn() throws {
        let book = try book([
            ("Ada", "1980-04-15"), ("Ben", "--04-15"), ("Cid", "1975-04-15"), ("Dee", "1980-04-16"), ("Eve", ""),
            ("Fay", "circa 1800"),
        ])
        func found(_ text: String, region: String? = "GB", limit: Int = 0) throws -> [String] {
            try book.contacts(bornOn: text, region: region, limit: limit).map(\.displayName)
        }
        for text in ["1980-04-15", "15 April 1980", "15.4.1980", "15/04/1980", "April 15, 1980"] {
            #expect(try found(text) == ["Ada"], "\(text)")
        }
        #expect(try found("4/15/1980", region: "US") == ["Ada"])
        for text in ["15 April", "--04-15", "15.4."] { #expect(try found(text) == ["Ben", "Ada", "Cid"], "\(text)") }
        #expect(try found("15 April", limit: 2) == ["Ben", "Ada"])
        for text in ["19800415", "1980", "April", "", "0 04", "15 High Street", "tomorrow", "2026-02-30"] {
            #expect(try found(text) == [], "\(text)")
        }
        let shown = try book.list().map { $0.matchedTexts(["birthday"]).map(\.text) }
        #expect(shown.prefix(2) == [["1980-04-15"], ["--04-15"]] && shown.last == ["circa 1800"])
    }

    @Test(
        "a birthday on 29 February is on the 28th in other years",
        arguments: [
            ("2027-02-27", "2027-02-28", 1), ("2027-02-28", "2027-02-28", 0), ("2027-03-01", "2028-02-29", 365),
            ("2028-02-28", "2028-02-29", 1), ("2100-02-28", "2100-02-28", 0),
        ])
    func leapDay(_ today: String, _ date: String, _ days: Int) throws {
        let book = try book([("Leap", "--02-29")])
        let start = try #require(CalendarDay(today))
        let row = try #require(try book.birthdays(from: start, days: 366).first)
        #expect(row.date == date && row.daysLeft == days)
    }

    @Test("counts days like a calendar")
    func dayNumbers() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
        let start = CalendarDay(Date(timeIntervalSince1970: 0), in: calendar.timeZone)
        for day in stride(from: 0, to: 60_000, by: 17) {
            let date = CalendarDay(Date(timeIntervalSince1970: Double(day) * 86_400), in: calendar.timeZone)
            #expect(date.number - start.number == day)
            #expect(CalendarDay(date.text) == date)
        }
        for text in ["2026-02-29", "2026-13-01", "26-1-1", "", "2026-11-21T", "--04-12", "２０２６-11-21"] {
            #expect(CalendarDay(text) == nil)
        }
    }

    @Test("lists groups ignoring case and accents, and their current members")
    func groups() throws {
        let book = try emptyBook()
        var ana = ContactBookTests.contact("Ana")
        ana.groups = ["Família", "⭐", "Família", " "]
        ana = try book.add(ana)
        var bob = ContactBookTests.contact("Bob")
        bob.groups = ["familia", "O'Neill's"]
        bob = try book.add(bob)
        #expect(ana.groups == ["Família", "⭐"])
        #expect(try book.groups().map(\.count) == [2, 1, 1])
        #expect(try book.list(group: "FAMILIA").map(\.displayName) == ["Ana", "Bob"])
        #expect(try book.list(group: "o'neill's").map(\.displayName) == ["Bob"])
        #expect(try book.list(group: "⭐").map(\.displayName) == ["Ana"])
        #expect(throws: ContactBookError.unknownGroup("nobody")) { try book.list(group: "nobody") }
        _ = try book.edit(bob.id) { $0.groups = [] }
        #expect(try book.groups().map(\.count) == [1, 1])
    }

    @Test(
        "escapes group names in SQL",
        arguments: ["'", "'\u{301}", "''", "\""])
    func groupNames(quote: String) throws {
        let book = try emptyBook()
        var eve = ContactBookTests.contact("Eve")
        eve.groups = [quote + ") OR (1=1"]
        eve = try book.add(eve)
        _ = try book.add(ContactBookTests.contact("Ana"))
        let group = try #require(eve.groups.first)
        #expect(try book.groups().map(\.count) == [1])
        #expect(try book.list(group: group).map(\.displayName) == ["Eve"])
    }

    @Test("keeps the bytes of a photo through changes, merges and undoing; lists omit them")
    func photos() throws {
        let book = try emptyBook()
        let jpeg = ContactPhoto(Data([0xFF, 0xD8, 0xFF, 0x00, 0x01]))
        let other = ContactPhoto(Data("GIF89a…".utf8))
        var first = ContactBookTests.contact("Ana", phones: ["0532 123 45 67"])
        first.photo = jpeg
        first = try book.add(first)
        var second = ContactBookTests.contact("Ana Lima", phones: ["0532 123 45 68"])
        second.photo = other
        second = try book.add(second)
        #expect(try book.photo(of: first.id) == jpeg)
        #expect(
            try book.list().map(\.photo) == [
                ContactPhoto(mediaType: "image/jpeg", size: 5), ContactPhoto(mediaType: "image/gif", size: 9),
            ])
        _ = try book.edit(first.id) { $0.nickname = "A" }
        #expect(try book.photo(of: first.id) == jpeg)
        let merged = try book.merge([first.id, second.id])
        #expect(merged.photo == jpeg && merged.otherProperties.contains("PHOTO;ENCODING=b;TYPE=GIF:R0lGODlh4oCm"))
        let undone = try book.undoMerge(first.id)
        #expect(undone.map(\.photo) == [jpeg, other])
        #expect(try book.photo(of: try book.add(ContactBookTests.contact("Bob")).id) == nil)
    }

    @Test("migrates photos and groups from the other properties")
    func migration() throws {
        let book = try emptyBook()
        var contact = ContactBookTests.contact("Ana")
        contact.otherProperties = [
            "X-A:1", "PHOTO;ENCODING=BASE64;TYPE=GIF:R0lGODlh", "CATEGORIES:Family,a\\,b",
            "PHOTO;VALUE=uri:https://example.org/a",
            "PHOTO;ENCODING=b:/9j/", "CATEGORIES:starred",
        ]
        let id = try book.add(contact).id
        try book.storage.write(changing: ContactBook.module) { db in
            // The table as of the migration, which had no primary key.
            try db.execute(
                sql: """
                    CREATE TABLE former AS SELECT * FROM contact_detail;
                    DROP TABLE contact_detail;
                    ALTER TABLE former RENAME TO contact_detail;
                    """)
            try ContactRows.extractPhotosAndGroups(in: db)
            try ContactRows.addPrimaryKeyOfDetails(in: db)
        }
        let after = try book.contact(id)
        #expect(after.photo?.data == Data(base64Encoded: "R0lGODlh") && after.photo?.mediaType == "image/gif")
        #expect(after.groups == ["Family", "a,b"] && after.isFavourite)
        #expect(after.otherProperties == ["X-A:1", "PHOTO;VALUE=uri:https://example.org/a", "PHOTO;ENCODING=b:/9j/"])
        try book.storage.write(changing: ContactBook.module) { db in try ContactRows.extractPhotosAndGroups(in: db) }
        #expect(try book.contact(id).photo != nil)
    }

    @Test("only plain image formats can be displayed")
    func showable() {
        #expect(ContactPhoto(Data([0xFF, 0xD8, 0xFF])).isShowable)
        #expect(!ContactPhoto(Data("<svg xmlns='…'><script>".utf8), declaredType: "image/svg+xml").isShowable)
        #expect(!ContactPhoto(Data("<html>".utf8), declaredType: "image/png").isShowable)
        #expect(!ContactPhoto(Data("II*\u{0}".utf8)).isShowable)
        #expect(!ContactPhoto(Data()).isShowable)
    }
}
