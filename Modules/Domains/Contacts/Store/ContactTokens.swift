public import Foundation
import GRDB
public import SwitchboardTextNormalization

/// The searchable texts of a contact, folded when it is stored. Searching and indexing need no ICU.
public struct ContactTokens: Hashable, Sendable {
    /// The searchable fields in order of weight. Phone numbers are indexed separately.
    public enum Field: UInt8, Sendable, CaseIterable {
        /// The displayed name.
        case displayName
        /// The nickname.
        case nickname
        /// The phonetic name.
        case phoneticName
        /// The organization.
        case organization
        /// An e-mail address.
        case email
        /// The note.
        case note
    }

    /// A folded text of a field.
    public struct Entry: Hashable, Sendable {
        /// The field of the text.
        public let field: Field
        /// The index among the texts of the field, such as several e-mail addresses.
        public let position: Int
        /// The folded text.
        public let text: FoldedText
    }

    /// The non-empty texts in the order of ``Field``.
    public let entries: [Entry]
}

extension ContactTokens {
    /// Returns the texts of a contact before folding.
    static func texts(of contact: Contact) -> [(field: Field, position: Int, text: String)] {
        var texts: [(field: Field, position: Int, text: String)] = [(.displayName, 0, contact.displayName)]
        func add(_ field: Field, _ text: String) {
            if !text.isEmpty { texts.append((field, 0, text)) }
        }
        add(.nickname, contact.nickname)
        add(.phoneticName, contact.phoneticName)
        add(.organization, contact.organization)
        for (position, email) in contact.emails.enumerated() { texts.append((.email, position, email.address)) }
        add(.note, contact.note)
        return texts
    }
}

// MARK: - Serialization

extension ContactTokens {
    /// The format version. Contacts of other versions are folded again.
    private static let version: UInt8 = 1

    /// Returns the serialized texts for the column `contact_search.tokens`.
    ///
    /// Format: the version, then for each text the field, the position (at most 255), and the bytes of the text.
    static func encoded(_ contact: Contact) -> Data {
        var bytes: [UInt8] = [version]
        for (field, position, text) in texts(of: contact) {
            bytes.append(field.rawValue)
            bytes.append(UInt8(clamping: position))
            FoldedText(text).serialize(into: &bytes)
        }
        return Data(bytes)
    }

    /// Parses the column `contact_search.tokens`; nil for another version or corrupt data.
    public init?(_ data: Data) {
        let entries = data.withUnsafeBytes { bytes -> [Entry]? in
            guard bytes.first == ContactTokens.version else { return nil }
            var entries: [Entry] = []
            var offset = 1
            while offset < bytes.count {
                guard offset + 2 <= bytes.count, let field = Field(rawValue: bytes[offset]) else { return nil }
                let position = Int(bytes[offset + 1])
                offset += 2
                guard let text = FoldedText(serialized: bytes, at: &offset) else { return nil }
                entries.append(Entry(field: field, position: position, text: text))
            }
            return entries
        }
        guard let entries else { return nil }
        self.entries = entries
    }

    /// Parses the texts of a contact, or folds the contact again if they are outdated or corrupt.
    static func decoded(_ data: Data, of key: Int64, in db: Database) throws -> ContactTokens? {
        if let tokens = ContactTokens(data) { return tokens }
        return try ContactFetching.contacts([key], in: db)[key].flatMap { ContactTokens(encoded($0)) }
    }
}
