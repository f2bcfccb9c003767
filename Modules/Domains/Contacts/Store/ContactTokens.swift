public import Foundation
import GRDB
public import SwitchboardTextNormalization

/// The searchable texts of a contact, folded once when it is stored, so that searching and index building never need ICU.
public struct ContactTokens: Hashable, Sendable {
    /// The texts a contact is found by, in the order in which they weigh. Numbers are found by their readings instead.
    public enum Field: UInt8, Sendable, CaseIterable {
        /// The name as it is shown.
        case displayName
        /// The nickname.
        case nickname
        /// The name as it is spoken.
        case phoneticName
        /// The organization.
        case organization
        /// An e-mail address.
        case email
        /// The note.
        case note
    }

    /// One text: the field, which of several it is (e-mail addresses), and its words.
    public struct Entry: Hashable, Sendable {
        /// The field the text stands in.
        public let field: Field
        /// The position among the field's texts, from 0.
        public let position: Int
        /// The words.
        public let text: FoldedText
    }

    /// The texts in the order of ``Field``; a field that is empty has none.
    public let entries: [Entry]
}

extension ContactTokens {
    /// The texts of a contact, not yet folded.
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

// MARK: - Bytes

extension ContactTokens {
    /// The version of the bytes; others are not read, the contact is folded again.
    private static let version: UInt8 = 1

    /// The folded texts of a contact as bytes, for the column `contact_search.tokens`.
    ///
    /// The form: the version; then for each text the field, the position (255 for all above), and the bytes of the text.
    static func encoded(_ contact: Contact) -> Data {
        var bytes: [UInt8] = [version]
        for (field, position, text) in texts(of: contact) {
            bytes.append(field.rawValue)
            bytes.append(UInt8(clamping: position))
            FoldedText(text).serialize(into: &bytes)
        }
        return Data(bytes)
    }

    /// Reads the bytes of the column `contact_search.tokens`.
    ///
    /// - Returns: nil if they are of another version or torn. Any bytes may be given.
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

    /// The folded texts in the bytes of a contact; if they are of an older version, or torn, folded anew from what the contact says.
    static func readable(_ data: Data, of key: Int64, in db: Database) throws -> ContactTokens? {
        if let tokens = ContactTokens(data) { return tokens }
        return try ContactFetching.contacts([key], in: db)[key].flatMap { ContactTokens(encoded($0)) }
    }
}
