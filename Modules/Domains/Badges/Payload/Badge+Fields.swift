import Foundation

// MECARD, BIZCARD, MATMSG, mailto and plain text. Fields are `KEY:value;`; a backslash escapes the next character.

/// The fields of `NAME:KEY:value;KEY:value;;`.
private struct PayloadFields {
    private(set) var fields: [(key: String, value: String)] = []

    init(_ text: String) {
        guard let colon = text.firstIndex(of: ":") else { return }
        var field = String.UnicodeScalarView()
        var isEscaped = false
        for scalar in text[text.index(after: colon)...].unicodeScalars {
            if isEscaped {
                isEscaped = false
                field.append(scalar)
            } else if scalar == "\\" {
                isEscaped = true
            } else if scalar == ";" {
                add(String(field))
                field = String.UnicodeScalarView()
            } else {
                field.append(scalar)
            }
        }
        add(String(field))
    }

    private mutating func add(_ field: String) {
        guard let colon = field.firstIndex(of: ":") else { return }
        let key = field[..<colon].trimmingCharacters(in: .whitespacesAndNewlines).uppercased()
        let value = field[field.index(after: colon)...].trimmingCharacters(in: .whitespacesAndNewlines)
        if !key.isEmpty, !value.isEmpty { fields.append((key, value)) }
    }

    func first(_ key: String) -> String { fields.first { $0.key == key }?.value ?? "" }
}

extension Badge {
    init(meCard text: String) {
        self.init()
        var more: [String] = []
        for (key, value) in PayloadFields(text).fields {
            switch key {
            case "N":
                // "Nowak,Łukasz"
                let parts = value.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
                assign(parts.reversed().joined(separator: " "), as: \.name, or: &more)
            case "EMAIL": assign(value, as: \.email, where: PayloadText.isAddress, or: &more)
            case "TEL": assign(value, as: \.phone, where: { $0.contains(where: \.isNumber) }, or: &more)
            case "ORG": assign(value, as: \.organization, or: &more)
            case "TITLE": assign(value, as: \.title, or: &more)
            case "URL": assign(value, as: \.url, or: &more)
            case "NOTE", "MEMO": more.append(value)
            default: continue
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
        assign(fields.first("E"), as: \.email, where: PayloadText.isAddress, or: &more)
        // B is the desk, M the mobile phone.
        for key in ["M", "B"] {
            assign(fields.first(key), as: \.phone, where: { $0.contains(where: \.isNumber) }, or: &more)
        }
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
        // Of several recipients, the first one is the owner of the badge.
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
