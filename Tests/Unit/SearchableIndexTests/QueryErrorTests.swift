import Foundation
import SwitchboardSearchableIndex
import Testing

@Suite("Query errors")
struct QueryErrorTests {
    static let cases: [(query: String, column: Int)] = [
        ("", 1),
        ("   ", 4),
        ("title", 6),
        ("title ==", 9),
        ("title == Paris", 10),
        (#"title == "Paris"#, 16),
        (#"title == "Paris"x"#, 17),
        (#"title == "Paris" c"#, 18),
        (#"title == "a\"#, 13),
        (#"title === "a""#, 9),
        (#"title < "a""#, 7),
        (#"titel == "a""#, 1),
        ("title == 3", 10),
        (#"rating == "much""#, 11),
        ("rating == true", 11),
        ("rating == $time.now", 11),
        (#"startDate > "today""#, 13),
        ("allDay == 3", 11),
        ("allDay > 1", 8),
        (#"title == "a" &"#, 14),
        (#"title == "a" &&"#, 16),
        (#"title == "a" | title"#, 14),
        (#"(title == "a""#, 14),
        (#"title == "a")"#, 13),
        ("! ", 3),
        ("InRange(title, 1, 2)", 9),
        ("InRange(rating, 1)", 18),
        ("InRange rating", 9),
        ("InRange(rating, 1, 2", 21),
        ("startDate > $time.tomorrow", 19),
        ("startDate > $now", 17),
        ("startDate > $time.today(1.5)", 25),
        ("startDate > $time.today(99999999)", 25),
        ("startDate > $time.iso(2026-02-30)", 23),
        (#"startDate > $time.iso("2026-02-03"#, 34),
        ("rating > 1e999", 10),
        ("rating > 1.2.3", 10),
        (#"title == [cx]"a""#, 12),
        (#"title == [c "a""#, 12),
        (#"é😀 == "a""#, 1),
        (#"&& title == "a""#, 1),
    ]

    @Test("Errors have the column", arguments: cases)
    func column(query: String, column: Int) throws {
        let error = #expect(throws: QueryError.self) { try AttributeQuery(query) }
        #expect(error?.column == column, "\(String(describing: error))")
    }

    @Test("Errors describe the problem")
    func message() {
        let error = #expect(throws: QueryError.self) { try AttributeQuery("title == Paris") }
        #expect(error?.description == "Column 10: “title” needs a value in quotes.")
    }

    @Test("Depth and length are limited, the number of comparisons is not")
    func limits() throws {
        let open = String(repeating: "(", count: 99)
        let close = String(repeating: ")", count: 99)
        _ = try AttributeQuery(open + "rating > 1" + close)
        let deeper = #expect(throws: QueryError.self) { try AttributeQuery("(" + open + "rating > 1" + close + ")") }
        #expect(deeper == .tooDeep(limit: 100, column: 101))
        let negations = #expect(throws: QueryError.self) { try AttributeQuery(String(repeating: "!", count: 9_999)) }
        #expect(negations == .tooDeep(limit: 100, column: 101))
        _ = try AttributeQuery(Array(repeating: "rating>1", count: 990).joined(separator: "||"))
        let long = #expect(throws: QueryError.self) { try AttributeQuery(String(repeating: " ", count: 10_001)) }
        #expect(long == .tooLong(limit: 10_000))
    }
}
