import Foundation
@_exported public import SwitchboardErrors
import SwitchboardVCard

/// The contact details in the code on a badge. Unknown fields are empty.
public struct Badge: Hashable, Sendable {
    /// The full name.
    public var name: String
    /// The e-mail address.
    public var email: String
    /// The phone number.
    public var phone: String
    /// The company.
    public var organization: String
    /// The job title.
    public var title: String
    /// The address of a web page.
    public var url: String
    /// Anything else, including further addresses and numbers.
    public var note: String

    /// Creates a badge.
    public init(
        name: String = "", email: String = "", phone: String = "", organization: String = "", title: String = "",
        url: String = "", note: String = ""
    ) {
        self.name = name
        self.email = email
        self.phone = phone
        self.organization = organization
        self.title = title
        self.url = url
        self.note = note
    }

    private var identifiesPerson: Bool { !name.isEmpty || !email.isEmpty || !phone.isEmpty || !organization.isEmpty }

    /// The badge as a vCard 3.0 (RFC 2426). Lines are not folded, because few code readers unfold them.
    public var vCard: String {
        var lines = VCardLines(isFolded: false)
        func add(_ property: String, _ text: String) {
            if !text.isEmpty { lines.add(property + ":" + VCardText.escaped(text)) }
        }
        lines.add("BEGIN:VCARD")
        lines.add("VERSION:3.0")
        // The last word is treated as the family name; FN has the full name.
        let words = name.split(separator: " ").map(String.init)
        let family = words.count > 1 ? words.last ?? "" : ""
        let given = (words.count > 1 ? words.dropLast() : words[...]).joined(separator: " ")
        lines.add("N:" + [family, given, "", "", ""].map(VCardText.escaped).joined(separator: ";"))
        add("FN", [name, organization, email, phone].first { !$0.isEmpty } ?? "")
        add("ORG", organization)
        add("TITLE", title)
        add("EMAIL", email)
        add("TEL", phone)
        add("URL", url)
        add("NOTE", note)
        lines.add("END:VCARD")
        return lines.text
    }
}

// MARK: - Payloads

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
    /// Parses the payload of a code without announced character sets. Of several vCards, the first is parsed.
    ///
    /// - Parameter payload: The bytes of the code, in UTF-8 or else the character set of the language whose letters they are.
    /// - Throws: ``BadgePayload/ParsingError`` with the text for display.
    public init(payload: [UInt8]) throws(BadgePayload.ParsingError) {
        let contents = CodeContents(payload)
        guard let first = Badge.all(in: contents).first else { throw .unknown(text: contents.text) }
        self = try first.get()
    }

    /// Parses a text like ``init(payload:)``.
    public init(payload: String) throws(BadgePayload.ParsingError) {
        try self.init(payload: Array(payload.utf8))
    }

    /// Returns the badges of a code, at least one, and the reasons for parts that are not badges.
    static func all(in contents: CodeContents) -> [Result<Badge, BadgePayload.ParsingError>] {
        let text = contents.text
        guard let form = BadgePayload(of: text) else { return [.failure(.unknown(text: text))] }
        let badges: [Result<Badge, BadgePayload.ParsingError>]
        switch form {
        case .vCard: badges = vCards(in: contents, text: text)
        case .meCard: badges = [.success(Badge(meCard: text))]
        case .bizCard: badges = [.success(Badge(bizCard: text))]
        case .mailto: badges = [.success(Badge(mailto: text))]
        case .nameAndEmail, .email: badges = [.success(Badge(plain: text))]
        }
        return badges.map { result in
            result.flatMap { badge in
                let badge = badge.withoutLineBreaksInName
                let shown = [badge.name, badge.email, badge.phone, badge.organization].joined()
                if shown.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
                    let reason = "the badge has control characters, so its character set is unknown; enter it by hand"
                    return .failure(.malformed(text: text, reason: reason))
                }
                if badge.identifiesPerson { return .success(badge) }
                let reason = "the \(form.rawValue) contains neither a name nor an address nor a number"
                return .failure(.malformed(text: text, reason: reason))
            }
        }
    }

    private var withoutLineBreaksInName: Badge {
        var badge = self
        badge.name = name.split { $0.isNewline || $0 == "\t" }.joined(separator: " ")
            .trimmingCharacters(in: .whitespacesAndNewlines)
        return badge
    }
}

extension BadgePayload {
    /// Detects the format of a text; nil if it is unknown.
    fileprivate init?(of text: String) {
        let lines = PayloadText.lines(of: text)
        if let known = Self.prefixes.first(where: { text.prefix($0.prefix.count).uppercased() == $0.prefix }) {
            self = known.form
        } else if lines.count == 2, PayloadText.mailbox(lines[1]) != nil, PayloadText.isName(lines[0]) {
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
    static func lines(of text: String) -> [String] {
        text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    /// Returns `true` if a text can be an e-mail address, rather than a link that contains a user name.
    static func isAddress(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, let user = parts.first, let host = parts.last, !user.isEmpty, host.contains("."),
            !host.hasPrefix("."), !host.hasSuffix(".")
        else { return false }
        return !text.contains { $0.isWhitespace || "<>()[],;:\"\\/?".contains($0) }
    }

    /// Returns `true` if a text can be a name: it has a letter and is not a link.
    static func isName(_ text: String) -> Bool {
        text.contains(where: \.isLetter) && !text.contains("://") && !text.contains("@")
    }

    /// Parses `address`, `<address>`, `Name <address>` or `mailto:address`. The name may be quoted.
    static func mailbox(_ text: String) -> (name: String, email: String)? {
        let text = ContactValues.mailAddress(text)
        if isAddress(text) { return ("", text) }
        guard text.hasSuffix(">"), let bracket = text.lastIndex(of: "<") else { return nil }
        let email = ContactValues.mailAddress(String(text[text.index(after: bracket)...].dropLast()))
        let name = text[..<bracket].trimmingCharacters(in: CharacterSet(charactersIn: " \t\""))
        return isAddress(email) && !name.contains("<") ? (name, email) : nil
    }

    /// Parses a mailbox, or several after commas or semicolons; empty if the text has none.
    static func mailboxes(_ text: String) -> [(name: String, email: String)] {
        if let only = mailbox(text) { return [only] }
        return text.split { $0 == "," || $0 == ";" }.compactMap {
            mailbox($0.trimmingCharacters(in: .whitespacesAndNewlines))
        }
    }
}

// MARK: - vCard

extension Badge {
    /// Returns the badges of the cards in a code.
    ///
    /// Some badges omit END:VCARD to save space. The bytes themselves are read if they declare character sets that the
    /// code does not announce, as version 2.1 can.
    private static func vCards(
        in contents: CodeContents, text: String
    ) -> [Result<Badge, BadgePayload.ParsingError>] {
        let text = VCardLayout.normalized(text)
        let ended = text + "\r\nEND:VCARD\r\n"
        var attempts = [text, ended].map { Array(VCardLayout.withoutCharacterSets($0).utf8) }
        if contents.isUnannounced, text.range(of: "CHARSET=", options: .caseInsensitive) != nil {
            attempts.insert(contents.bytes, at: 0)
        }
        var best: [Result<VCard, any Error>] = []
        func successes(_ cards: [Result<VCard, any Error>]) -> Int { cards.count { (try? $0.get()) != nil } }
        for cards in attempts.map(cards) where best.isEmpty || successes(cards) > successes(best) {
            best = cards
            if successes(best) == best.count { break }
        }
        return best.map { result in
            result.map(Badge.init).mapError { error in
                let reason = (error as? MalformedInput)?.reason ?? "\(error)"
                return .malformed(text: text, reason: "cannot read the vCard: \(reason)")
            }
        }
    }

    private static func cards(in bytes: [UInt8]) -> [Result<VCard, any Error>] {
        var cards: [Result<VCard, any Error>] = []
        guard var reader = try? VCardReader(ByteStream(bytes)) else { return [] }
        while true {
            do {
                guard let card = try reader.next() else { break }
                cards.append(.success(card))
            } catch {
                cards.append(.failure(error))
            }
        }
        return cards.isEmpty ? [.failure(MalformedInput(line: 1, reason: "the code contains no vCard"))] : cards
    }

    private init(_ card: VCard) {
        self.init()
        var more: [String] = []
        var (full, given) = ("", "")
        for property in card.properties.sorted(by: { $0.isPreferred && !$1.isPreferred }) {
            let text = property.text.trimmingCharacters(in: .whitespacesAndNewlines)
            if text.isEmpty { continue }
            switch property.name {
            case "FN": if full.isEmpty { full = text }
            case "N":
                let parts = property.components.map(\.trimmingWhitespace)
                func part(_ index: Int) -> String { index < parts.count ? parts[index] : "" }
                if given.isEmpty {
                    given = ContactValues.name(
                        prefix: part(3), given: part(1), middle: part(2), family: part(0), suffix: part(4))
                }
            case "ORG":
                let parts = property.components.map { $0.trimmingCharacters(in: .whitespaces) }
                assign(parts.first { !$0.isEmpty } ?? "", ofProperty: "ORG", or: &more)
            default: assign(text, ofProperty: property.name, or: &more)
            }
        }
        if !(full + given).isEmpty { name = full.isEmpty ? given : full }
        note = more.joined(separator: "\n")
    }

    /// Assigns the value of a property that vCard and MECARD have in common; ignores other properties.
    private mutating func assign(_ text: String, ofProperty name: String, or rest: inout [String]) {
        switch name {
        case "EMAIL":
            let mailboxes = PayloadText.mailboxes(text)
            for (name, email) in mailboxes {
                if self.name.isEmpty { self.name = name }
                assign(email, as: \.email, or: &rest)
            }
            if mailboxes.isEmpty, !rest.contains(text) { rest.append(text) }
        case "TEL":
            assign(ContactValues.phoneNumber(text), as: \.phone, where: { $0.contains(where: \.isNumber) }, or: &rest)
        case "ORG": assign(text, as: \.organization, or: &rest)
        case "TITLE": assign(text, as: \.title, or: &rest)
        case "URL": assign(text, as: \.url, or: &rest)
        case "NOTE": rest.append(text)
        default: break
        }
    }

    /// Assigns a text to an empty field. A text for a field that has a value, or that is not valid for it, is added to
    /// `rest`.
    private mutating func assign(
        _ text: String, as field: WritableKeyPath<Badge, String>, where isValid: (String) -> Bool = { _ in true },
        or rest: inout [String]
    ) {
        if text.isEmpty || self[keyPath: field] == text { return }
        if self[keyPath: field].isEmpty, isValid(text) {
            self[keyPath: field] = text
        } else if !rest.contains(text) {
            rest.append(text)
        }
    }
}

// MARK: - Other formats

// MECARD, BIZCARD, MATMSG, mailto and plain text. Fields are `KEY:value;`; a backslash escapes the next character.

/// The fields of `NAME:KEY:value;KEY:value;;`.
private struct PayloadFields {
    /// The fields, whose values still have their escapes.
    private let fields: [(key: String, value: Substring)]

    init(_ text: String) {
        let body = text.firstIndex(of: ":").map { text[text.index(after: $0)...] } ?? ""
        fields = VCardText.split(body, at: ";").compactMap { part in
            guard let colon = part.firstIndex(of: ":") else { return nil }
            let key = part[..<colon].trimmingCharacters(in: .whitespacesAndNewlines).uppercased()
            let value = part[part.index(after: colon)...]
            return key.isEmpty || value.allSatisfy(\.isWhitespace) ? nil : (key, value)
        }
    }

    private static func unescaped(_ text: Substring) -> String {
        var isEscape = false
        let scalars = text.unicodeScalars.filter { scalar in
            isEscape = scalar == "\\" && !isEscape
            return !isEscape
        }
        return String(String.UnicodeScalarView(scalars)).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The fields with their values.
    var all: [(key: String, value: String)] { fields.map { ($0.key, Self.unescaped($0.value)) } }

    func first(_ key: String) -> String { all.first { $0.key == key }?.value ?? "" }

    /// Returns the components of the first field with a key: its value is split at commas without a backslash.
    func components(_ key: String) -> [String] {
        guard let field = fields.first(where: { $0.key == key }) else { return [] }
        return VCardText.split(field.value, at: ",").map(Self.unescaped)
    }
}

extension Badge {
    /// The badge as a MECARD, which makes a smaller QR code than ``vCard``. It has no note and no title.
    public var meCard: String {
        let fields = [("N", name), ("EMAIL", email), ("TEL", phone), ("ORG", organization), ("URL", url)]
        return "MECARD:" + fields.filter { !$0.1.isEmpty }.map { "\($0):\(Badge.escaped($1));" }.joined() + ";"
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            if "\\;:,\"".contains(character) { result.append("\\") }
            result.append(character)
        }
    }

    private init(meCard text: String) {
        self.init()
        var more: [String] = []
        let fields = PayloadFields(text)
        // "Nowak,Łukasz"
        let parts = fields.components("N").filter { !$0.isEmpty }
        name = ContactValues.name(given: parts.dropFirst().joined(separator: " "), family: parts.first ?? "")
        for (key, value) in fields.all where key != "N" {
            if key == "MEMO" { more.append(value) } else { assign(value, ofProperty: key, or: &more) }
        }
        note = more.joined(separator: "\n")
    }

    private init(bizCard text: String) {
        let fields = PayloadFields(text)
        self.init(
            name: [fields.first("N"), fields.first("X")].filter { !$0.isEmpty }.joined(separator: " "),
            organization: fields.first("C"), title: fields.first("T"))
        var more: [String] = []
        assign(fields.first("E"), ofProperty: "EMAIL", or: &more)
        // B is the desk, M the mobile phone.
        for key in ["M", "B"] { assign(fields.first(key), ofProperty: "TEL", or: &more) }
        note = more.joined(separator: "\n")
    }

    /// `mailto:a@example.org?subject=…` (RFC 6068), `mailto:Name%20%3Ca@example.org%3E`,
    /// `MATMSG:TO:a@example.org;SUB:…;;`
    private init(mailto text: String) {
        self.init()
        var addresses = ""
        if text.prefix(7).uppercased() == "MATMSG:" {
            addresses = PayloadFields(text).first("TO")
        } else {
            let rest = text.dropFirst(7)
            let query = rest.firstIndex(of: "?")
            addresses = String(rest[..<(query ?? rest.endIndex)])
            addresses = addresses.removingPercentEncoding ?? addresses
            if addresses.isEmpty, let query { addresses = Badge.recipient(in: rest[query...].dropFirst()) }
        }
        // The first of several recipients is the owner of the badge.
        if let (name, email) = PayloadText.mailboxes(addresses).first { (self.name, self.email) = (name, email) }
    }

    /// Returns the `to` header of a mailto URL.
    private static func recipient(in query: Substring) -> String {
        for header in query.split(separator: "&") {
            let parts = header.split(separator: "=", maxSplits: 1)
            if parts.count == 2, parts[0].lowercased() == "to" {
                return String(parts[1]).removingPercentEncoding ?? String(parts[1])
            }
        }
        return ""
    }

    /// Parses a name above an address, or an address alone.
    private init(plain text: String) {
        self.init()
        let lines = PayloadText.lines(of: text)
        if lines.count == 2, let (_, email) = PayloadText.mailbox(lines[1]) {
            (name, self.email) = (lines[0], email)
        } else if let line = lines.first, let (name, email) = PayloadText.mailbox(line) {
            (self.name, self.email) = (name, email)
        }
    }
}
