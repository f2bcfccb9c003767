public import Foundation

/// A made-up item, as `Scripts/generate-items` writes it; of it what questions are made from.
public struct Item: Sendable, Decodable {
    /// The identifier.
    public var id: String
    /// Two to six words.
    public var title: String

    /// Some of so many items, evenly spread, the same every time.
    ///
    /// - Parameter most: how many at most; so many are more than enough for questions, and to read all of a million takes long.
    public static func made(_ count: Int, most: Int = 50_000) throws -> [Item] {
        let lines = try lines(count).split(separator: UInt8(ascii: "\n"))
        let decoder = JSONDecoder()
        return try stride(from: 0, to: lines.count, by: max(lines.count / max(most, 1), 1))
            .map { try decoder.decode(Item.self, from: lines[$0]) }
    }

    /// So many items as JSON, one a line.
    public static func lines(_ count: Int) throws -> Data {
        let path = try DataFolder.items(count)
        guard let data = FileManager.default.contents(atPath: path) else {
            throw DataFolderError.unreadable(path: path)
        }
        return data
    }
}
