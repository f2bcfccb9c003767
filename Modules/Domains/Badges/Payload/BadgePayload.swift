import Foundation
@_exported public import SwitchboardErrors
import SwitchboardVCard

/// The formats of badge codes.
public enum BadgePayload: String, Sendable, CaseIterable {
    /// A vCard 2.1, 3.0 or 4.0.
    case vCard
    /// `MECARD:N:Nowak,Łukasz;EMAIL:…;;` (NTT Docomo).
    case meCard
    /// `BIZCARD:N:Łukasz;X:Nowak;E:…;;`
    case bizCard
    /// `mailto:…` (RFC 6068), or `MATMSG:TO:…;;`
    case mailto
    /// A line with the name, and a line with the e-mail address.
    case nameAndEmail
    /// An e-mail address alone, or `Name <address>`.
    case email

    /// An error that occurs while parsing a payload.
    public enum ParsingError: CodedError, Hashable {
        /// The format is unknown. `text` is the text of the code.
        case unknown(text: String)
        /// The format is known, but the payload is malformed or identifies no person.
        case malformed(text: String, reason: String)

        /// The text of the code.
        public var text: String {
            switch self {
            case .unknown(let text), .malformed(let text, _): text
            }
        }

        /// The code, the category and the message.
        public var details: ErrorDetails {
            switch self {
            case .unknown:
                .init(
                    "unknownBadge", .malformed,
                    "unknown kind of badge; use a vCard, MECARD, BIZCARD, mailto, an e-mail address, or a name above one"
                )
            case .malformed(_, let reason): .init("malformedBadge", .malformed, reason)
            }
        }
    }
}

extension Badge {
    /// Parses the payload of a code.
    ///
    /// - Parameter payload: The bytes of the code, in UTF-8 or else Windows-1252.
    /// - Throws: ``BadgePayload/ParsingError`` with the text for display.
    public init(payload: [UInt8]) throws(BadgePayload.ParsingError) {
        let text = PayloadText.decoded(payload)
        guard let form = BadgePayload(of: text) else { throw .unknown(text: text) }
        switch form {
        case .vCard: self = try Badge(vCard: payload, text: text)
        case .meCard: self = Badge(meCard: text)
        case .bizCard: self = Badge(bizCard: text)
        case .mailto: self = Badge(mailto: text)
        case .nameAndEmail, .email: self = Badge(plain: text)
        }
        guard identifiesPerson else {
            throw .malformed(
                text: text, reason: "the \(form.rawValue) contains neither a name nor an address nor a number")
        }
    }

    /// Parses a text like ``init(payload:)``.
    public init(payload: String) throws(BadgePayload.ParsingError) {
        try self.init(payload: Array(payload.utf8))
    }
}

extension BadgePayload {
    /// Detects the format of a text; nil if it is unknown.
    init?(of text: String) {
        let lines = PayloadText.lines(of: text)
        if let known = Self.prefixes.first(where: { text.prefix($0.prefix.count).uppercased() == $0.prefix }) {
            self = known.form
        } else if lines.count == 2, PayloadText.isAddress(lines[1]), PayloadText.isName(lines[0]) {
            self = .nameAndEmail
        } else if lines.count == 1, PayloadText.mailbox(lines[0]) != nil {
            self = .email
        } else {
            return nil
        }
    }

    private static let prefixes: [(prefix: String, form: BadgePayload)] = [
        ("BEGIN:VCARD", .vCard), ("MECARD:", .meCard), ("BIZCARD:", .bizCard), ("MAILTO:", .mailto),
        ("MATMSG:", .mailto),
    ]
}

/// Text functions shared by several formats.
enum PayloadText {
    /// Decodes UTF-8, or else Windows-1252, and trims whitespace. Removes a byte order mark, and NUL characters, which
    /// a vCard cannot contain.
    static func decoded(_ bytes: [UInt8]) -> String {
        let marked = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        let bytes = marked ? bytes[3...] : bytes[...]
        var scalars = (String(validating: bytes, as: UTF8.self) ?? Charset.windows1252(bytes)).unicodeScalars
        scalars.removeAll { $0 == "\0" }
        return String(scalars).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    static func lines(of text: String) -> [String] {
        text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    /// Returns true if a text can be an e-mail address, rather than a link that contains a user name.
    static func isAddress(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, let user = parts.first, let host = parts.last, !user.isEmpty, host.contains("."),
            !host.hasPrefix("."), !host.hasSuffix(".")
        else { return false }
        return !text.contains { $0.isWhitespace || "<>()[],;:\"\\/?".contains($0) }
    }

    /// Returns a name in the order of its script.
    static func name(family: String, given: String) -> String {
        if isFamilyNameFirst(family + given) { return family + given }
        return [given, family].filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// Returns true for a Chinese, Japanese or Korean name, which begins with the family name and has no space.
    static func isFamilyNameFirst(_ name: String) -> Bool { NameScript.isEastAsian(name) }

    /// Returns true if a text can be a name: it has a letter and is not a link.
    static func isName(_ text: String) -> Bool {
        text.contains(where: \.isLetter) && !text.contains("://") && !text.contains("@")
    }

    /// Parses `address` or `Name <address>`. The name may be quoted.
    static func mailbox(_ text: String) -> (name: String, email: String)? {
        if isAddress(text) { return ("", text) }
        guard text.hasSuffix(">"), let bracket = text.lastIndex(of: "<") else { return nil }
        let email = String(text[text.index(after: bracket)...].dropLast())
        let name = text[..<bracket].trimmingCharacters(in: CharacterSet(charactersIn: " \t\""))
        return isAddress(email) ? (name, email) : nil
    }
}
