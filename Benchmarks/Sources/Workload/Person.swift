import Foundation

/// A generated contact, as `Scripts/data/generate-contacts --format jsonl` writes it.
public struct Person: Sendable, Decodable {
    /// The display name.
    public var name: String
    /// The phonetic name of Japanese people.
    public var phoneticName: String?
    /// The nickname of some.
    public var nickname: String?
    /// The organization of some.
    public var organization: String?
    /// One to three numbers in common notation.
    public var phones: [String]
    /// The e-mail address of some.
    public var emails: [String]?

    /// Returns people, the same in every run.
    public static func generated(_ count: Int) throws -> [Person] {
        let path = try DataFolder.contacts(count, format: "jsonl")
        guard let data = FileManager.default.contents(atPath: path) else {
            throw DataFolderError.unreadable(path: path)
        }
        let decoder = JSONDecoder()
        return try data.split(separator: UInt8(ascii: "\n")).map { try decoder.decode(Person.self, from: $0) }
    }
}
