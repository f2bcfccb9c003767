import Foundation

/// The lines of vCards that badge makers have indented, or written on one line.
enum VCardLayout {
    private static let names = [
        "BEGIN", "END", "VERSION", "FN", "N", "NICKNAME", "PHOTO", "BDAY", "ADR", "LABEL", "TEL", "EMAIL", "IMPP",
        "MAILER",
        "TZ", "GEO", "TITLE", "ROLE", "LOGO", "AGENT", "ORG", "CATEGORIES", "NOTE", "PRODID", "REV", "SORT-STRING",
        "SOUND",
        "UID", "URL", "CLASS", "KEY", "GENDER", "LANG", "KIND", "ANNIVERSARY", "RELATED", "MEMBER",
    ]

    /// Returns a text in which each property is at the beginning of a line.
    ///
    /// In an indented card, a line that begins with the name of a property is one; another line continues the one before.
    static func normalized(_ text: String) -> String {
        var text = text
        if !text.contains(where: \.isNewline) {
            text = text.replacingOccurrences(of: "\\r\\n", with: "\n").replacingOccurrences(of: "\\n", with: "\n")
        }
        if !text.contains(where: \.isNewline) {
            // A single line with the properties after spaces.
            return text.split(separator: " ").reduce(into: "") { result, word in
                result += (result.isEmpty ? "" : isProperty(word) ? "\n" : " ") + word
            }
        }
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        guard lines.dropFirst().first(where: { !$0.allSatisfy(\.isWhitespace) })?.first?.isWhitespace == true else {
            return text
        }
        return lines.map { line in
            let content = line.drop(while: \.isWhitespace)
            return isProperty(content) ? content : line
        }.joined(separator: "\r\n")
    }

    private static func isProperty(_ line: Substring) -> Bool {
        guard let end = line.firstIndex(where: { $0 == ":" || $0 == ";" }) else { return false }
        let name = line[..<end].uppercased()
        return names.contains(name) || name.hasPrefix("X-") || name.hasPrefix("ITEM")
    }

    /// Returns a decoded text without the character sets that its lines declare, which no longer apply. Those of
    /// quoted-printable values still do.
    static func withoutCharacterSets(_ text: String) -> String {
        guard text.range(of: "CHARSET=", options: .caseInsensitive) != nil else { return text }
        return text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { line in
            if line.range(of: "QUOTED-PRINTABLE", options: .caseInsensitive) != nil { return String(line) }
            return line.replacingOccurrences(
                of: ";CHARSET=[^;:]*", with: "", options: [.regularExpression, .caseInsensitive])
        }.joined(separator: "\r\n")
    }
}
