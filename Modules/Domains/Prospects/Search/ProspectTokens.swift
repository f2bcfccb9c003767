import Foundation
import SwitchboardTextNormalization

/// The normalized searchable texts of a prospect, computed once when it is stored, so that searching and indexing never
/// need ICU.
struct ProspectTokens {
    /// The indexed fields, in order of weight. Phone numbers are indexed by their forms instead.
    enum Field: UInt8, CaseIterable {
        case name, organization, email, met, note

        /// `true` for the fields that name the prospect.
        var isName: Bool { self == .name || self == .organization }

        /// The key of the field in JSON, for highlights.
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

    /// The text of one field.
    struct Entry {
        let field: Field
        let text: FoldedText
    }

    /// The texts in the order of ``Field``, without empty ones.
    let entries: [Entry]
}

// MARK: - Bytes

extension ProspectTokens {
    /// The version of the serialized form. Other versions are not read; the texts are normalized again.
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

    /// Returns the serialized texts of a prospect for the column `prospect_search.tokens`: the version, then for each
    /// text its field and its bytes.
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

    /// Deserializes the column `prospect_search.tokens`; nil if the bytes have another version or are corrupt.
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

    /// Returns the stored texts, or the normalized texts of the prospect if the stored ones cannot be read.
    static func decoding(_ data: Data, of prospect: () throws -> Prospect?) rethrows -> ProspectTokens? {
        if let tokens = ProspectTokens(data) { return tokens }
        return try prospect().flatMap { ProspectTokens(encoded($0)) }
    }
}
