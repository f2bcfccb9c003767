import Foundation
import SwitchboardVCard

/// The forms in which badges say who wears them.
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

    /// Why a payload says nothing about a person.
    public enum Refusal: Error, Hashable, Sendable {
        /// It is none of the forms that badges have. The text is that of the code.
        case unknown(text: String)
        /// It has the form of one, but is broken or says nothing about anybody.
        case malformed(text: String, reason: String)

        /// What stands in the code.
        public var text: String {
            switch self {
            case .unknown(let text), .malformed(let text, _): text
            }
        }

        /// One line: what is wrong.
        public var reason: String {
            switch self {
            case .unknown:
                "the code is no badge; known are vCard, MECARD, BIZCARD, mailto, an e-mail address, and a name above one"
            case .malformed(_, let reason): reason
            }
        }
    }
}

extension Badge {
    /// Understands what stands in a code.
    ///
    /// - Parameter payload: the bytes of the code: UTF-8, or else Windows-1252.
    /// - Throws: a ``BadgePayload/Refusal`` with the text, so that it can be shown.
    public init(payload: [UInt8]) throws(BadgePayload.Refusal) {
        let text = PayloadText.decoded(payload)
        guard let form = BadgePayload(of: text) else { throw .unknown(text: text) }
        switch form {
        case .vCard: self = try Badge(vCard: payload, text: text)
        case .meCard: self = Badge(meCard: text)
        case .bizCard: self = Badge(bizCard: text)
        case .mailto: self = Badge(mailto: text)
        case .nameAndEmail, .email: self = Badge(plain: text)
        }
        guard isNameable else {
            throw .malformed(text: text, reason: "the \(form.rawValue) has neither a name nor an address or number")
        }
    }

    /// Understands a text as ``init(payload:)`` does.
    public init(payload: String) throws(BadgePayload.Refusal) {
        try self.init(payload: Array(payload.utf8))
    }
}

extension BadgePayload {
    /// The form of a text; nil if it is no badge.
    init?(of text: String) {
        func begins(_ prefix: String) -> Bool { text.prefix(prefix.count).uppercased() == prefix }
        if begins("BEGIN:VCARD") {
            self = .vCard
        } else if begins("MECARD:") {
            self = .meCard
        } else if begins("BIZCARD:") {
            self = .bizCard
        } else if begins("MAILTO:") || begins("MATMSG:") {
            self = .mailto
        } else {
            let lines = PayloadText.lines(of: text)
            if lines.count == 2, PayloadText.isAddress(lines[1]), PayloadText.isName(lines[0]) {
                self = .nameAndEmail
            } else if lines.count == 1, PayloadText.mailbox(lines[0]) != nil {
                self = .email
            } else {
                return nil
            }
        }
    }
}

/// The text of a payload and the pieces that several forms share.
enum PayloadText {
    /// UTF-8 without a byte order mark; what is not UTF-8 is Windows-1252. Blanks at both ends are gone.
    static func decoded(_ bytes: [UInt8]) -> String {
        let marked = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        let bytes = marked ? bytes[3...] : bytes[...]
        let text = String(validating: bytes, as: UTF8.self) ?? Charset.windows1252(bytes)
        return text.trimmingCharacters(in: .whitespacesAndNewlines.union(CharacterSet(charactersIn: "\0")))
    }

    /// The lines that are not empty, without blanks at their ends.
    static func lines(of text: String) -> [String] {
        text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    /// Whether a text can be an e-mail address and nothing else, such as a link with a user name in it.
    static func isAddress(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, let user = parts.first, let host = parts.last, !user.isEmpty, host.contains("."),
            !host.hasPrefix("."), !host.hasSuffix(".")
        else { return false }
        return !text.contains { $0.isWhitespace || "<>()[],;:\"\\/?".contains($0) }
    }

    /// Whether a text can be somebody's name: it has a letter, and is no link.
    static func isName(_ text: String) -> Bool {
        text.contains(where: \.isLetter) && !text.contains("://") && !text.contains("@")
    }

    /// `address` or `Name <address>`, the name maybe in quotation marks.
    static func mailbox(_ text: String) -> (name: String, email: String)? {
        if isAddress(text) { return ("", text) }
        guard text.hasSuffix(">"), let bracket = text.lastIndex(of: "<") else { return nil }
        let email = String(text[text.index(after: bracket)...].dropLast())
        let name = text[..<bracket].trimmingCharacters(in: CharacterSet(charactersIn: " \t\""))
        return isAddress(email) ? (name, email) : nil
    }
}
