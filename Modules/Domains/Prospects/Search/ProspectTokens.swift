import Foundation
import SwitchboardTextNormalization

/// The searchable texts of a prospect, folded once when it is stored, so that searching and index building never need ICU.
struct ProspectTokens {
    /// The texts a prospect is found by, in the order in which they weigh. Numbers are found by their writings instead.
    enum Field: UInt8, CaseIterable {
        case name, organization, email, met, note

        /// Whether the field says who somebody is, rather than something about them.
        var isName: Bool { self == .name || self == .organization }

        /// The field of the JSON object, for highlights.
        var key: String {
            switch self {
            case .name: "name"
            case .organization: "organization"
            case .email: "email"
            case .met: "met"
            case .note: "note"
            }
        }
    }

    /// One text: the field, and its words.
    struct Entry {
        let field: Field
        let text: FoldedText
    }

    /// The texts in the order of ``Field``; a field that is empty has none.
    let entries: [Entry]
}

// MARK: - Bytes

extension ProspectTokens {
    /// The version of the bytes; others are not read, the prospect is folded again.
    private static let version: UInt8 = 1

    private static func text(_ field: Field, of prospect: Prospect) -> String {
        switch field {
        case .name: prospect.displayName
        case .organization: prospect.organization
        case .email: prospect.email
        case .met: prospect.met
        case .note: prospect.note
        }
    }

    /// The folded texts of a prospect as bytes, for the column `prospect_search.tokens`: the version; then for each text the
    /// field and the bytes of the text.
    static func encoded(_ prospect: Prospect) -> Data {
        var bytes: [UInt8] = [version]
        for field in Field.allCases {
            let text = text(field, of: prospect)
            if text.isEmpty { continue }
            bytes.append(field.rawValue)
            FoldedText(text).serialize(into: &bytes)
        }
        return Data(bytes)
    }

    /// Reads the bytes of the column `prospect_search.tokens`; nil if they are of another version or torn.
    init?(_ data: Data) {
        let entries = data.withUnsafeBytes { bytes -> [Entry]? in
            guard bytes.first == ProspectTokens.version else { return nil }
            var entries: [Entry] = []
            var offset = 1
            while offset < bytes.count {
                guard let field = Field(rawValue: bytes[offset]) else { return nil }
                offset += 1
                guard let text = FoldedText(serialized: bytes, at: &offset) else { return nil }
                entries.append(Entry(field: field, text: text))
            }
            return entries
        }
        guard let entries else { return nil }
        self.entries = entries
    }

    /// The stored texts, or, where they cannot be read, those of the prospect folded anew.
    static func readable(_ data: Data, of prospect: () throws -> Prospect?) rethrows -> ProspectTokens? {
        if let tokens = ProspectTokens(data) { return tokens }
        return try prospect().flatMap { ProspectTokens(encoded($0)) }
    }
}
