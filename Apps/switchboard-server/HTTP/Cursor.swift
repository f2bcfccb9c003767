import Foundation
import Switchboard

/// Where the next page of a list begins. Clients send it back as it is.
enum Cursor {
    static func text(offset: Int) -> String {
        Data("o\(offset)".utf8).base64EncodedString().replacingOccurrences(of: "=", with: "")
    }

    /// What a cursor says; nil if this server never gave it.
    static func offset(_ text: String) -> Int? {
        let padded = text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: padded), let letters = String(data: data, encoding: .utf8),
            letters.hasPrefix("o"), let offset = Int(letters.dropFirst()), (0...1_000_000_000).contains(offset)
        else { return nil }
        return offset
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
