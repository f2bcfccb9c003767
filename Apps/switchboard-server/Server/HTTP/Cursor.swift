import SwitchboardKit

/// The position of a page in a list: the number of rows before it. Clients treat it as opaque.
enum Cursor {
    /// The format of a cursor, as a regular expression.
    static let pattern = "^[0-9]{1,9}$"

    static func text(offset: Int) -> String { String(offset) }

    /// Returns the offset of a cursor; nil if the cursor is malformed.
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

    /// Creates a page.
    ///
    /// - Parameter rows: The rows from the offset on, one more than the limit if there are more.
    init(_ rows: [Row], offset: Int, limit: Int) {
        results = Array(rows.prefix(limit))
        nextCursor = rows.count > limit ? Cursor.text(offset: offset + limit) : nil
    }
}
