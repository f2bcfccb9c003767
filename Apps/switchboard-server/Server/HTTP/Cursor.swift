import SwitchboardKit

/// Where the next page of a list begins: how many rows are before it. Clients send it back as it is.
enum Cursor {
    /// What a cursor looks like, as a regular expression.
    static let pattern = "^[0-9]{1,9}$"

    static func text(offset: Int) -> String { String(offset) }

    /// What a cursor says; nil if this server never gave it.
    static func offset(_ text: String) -> Int? {
        guard (1...9).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(text)
    }
}

/// A page of a list: `{"results": […], "nextCursor": "…"}`, without the cursor on the last one.
struct Page<Row: Encodable & Sendable>: Encodable, Sendable {
    let results: [Row]
    let nextCursor: String?

    /// A page.
    ///
    /// - Parameter rows: the rows from the offset on, one more than the limit if there are more.
    init(_ rows: [Row], offset: Int, limit: Int) {
        results = Array(rows.prefix(limit))
        nextCursor = rows.count > limit ? Cursor.text(offset: offset + limit) : nil
    }
}
