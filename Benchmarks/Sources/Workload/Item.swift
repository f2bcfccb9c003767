public import Foundation

/// A generated item, reduced to the data that queries need.
public struct Item: Sendable, Decodable {
    /// The identifier.
    public var id: String
    /// Two to six words.
    public var title: String

    /// Returns items, evenly spread, the same in every run.
    ///
    /// - Parameter limit: The maximum number of items. Reading all of a million takes long.
    public static func generated(_ count: Int, limit: Int = 50_000) throws -> [Item] {
        let lines = try lines(count).split(separator: UInt8(ascii: "\n"))
        let decoder = JSONDecoder()
        return try stride(from: 0, to: lines.count, by: max(lines.count / max(limit, 1), 1))
            .map { try decoder.decode(Item.self, from: lines[$0]) }
    }

    /// The items as JSON lines.
    public static func lines(_ count: Int) throws -> Data {
        let path = try DataFolder.items(count)
        guard let data = FileManager.default.contents(atPath: path) else {
            throw DataFolderError.unreadable(path: path)
        }
        return data
    }
}
