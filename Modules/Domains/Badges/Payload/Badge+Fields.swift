import Foundation
import SwitchboardVCard

// MECARD, BIZCARD, MATMSG, mailto and plain text. Fields are `KEY:value;`; a backslash escapes the next character.

/// The fields of `NAME:KEY:value;KEY:value;;`.
private struct PayloadFields {
    let fields: [(key: String, value: String)]

    init(_ text: String) {
        let body = text.firstIndex(of: ":").map { text[text.index(after: $0)...] } ?? ""
        fields = VCardText.split(body, at: ";").compactMap { part in
            let field = PayloadFields.unescaped(part)
            guard let colon = field.firstIndex(of: ":") else { return nil }
            let key = field[..<colon].trimmingCharacters(in: .whitespacesAndNewlines).uppercased()
            let value = field[field.index(after: colon)...].trimmingCharacters(in: .whitespacesAndNewlines)
            return key.isEmpty || value.isEmpty ? nil : (key, value)
        }
    }

    private static func unescaped(_ text: Substring) -> String {
        var isEscape = false
        let scalars = text.unicodeScalars.filter { scalar in
            isEscape = scalar == "\\" && !isEscape
            return !isEscape
        }
        return String(String.UnicodeScalarView(scalars))
    }

    func first(_ key: String) -> String { fields.first { $0.key == key }?.value ?? "" }
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

    init(meCard text: String) {
        self.init()
        var more: [String] = []
        for (key, value) in PayloadFields(text).fields {
            switch key {
            case "N":
                // "Nowak,Łukasz"
                let parts = value.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
                let (family, given) = (parts.first ?? "", parts.dropFirst().joined(separator: " "))
                assign(PayloadText.name(family: family, given: given), as: \.name, or: &more)
            case "MEMO": more.append(value)
            default: assign(value, ofProperty: key, or: &more)
            }
        }
        note = more.joined(separator: "\n")
    }

    init(bizCard text: String) {
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
    init(mailto text: String) {
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
        let first = addresses.split(separator: ",").first.map { $0.trimmingCharacters(in: .whitespaces) } ?? ""
        if let (name, email) = PayloadText.mailbox(first) { (self.name, self.email) = (name, email) }
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
    init(plain text: String) {
        self.init()
        let lines = PayloadText.lines(of: text)
        if lines.count == 2 {
            (name, email) = (lines[0], lines[1])
        } else if let line = lines.first, let (name, email) = PayloadText.mailbox(line) {
            (self.name, self.email) = (name, email)
        }
    }
}
