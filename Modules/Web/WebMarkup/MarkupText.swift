import CSwitchboardLibXML2

/// Plain text from pages: collapsed white space, no tags, limited length.
enum MarkupText {
    /// The maximum length of a name or title in scalars.
    static let maximumLineLength = 1000
    /// The maximum length of a description in scalars.
    static let maximumDescriptionLength = 5000
    /// The maximum length of a body, such as an article's, in scalars.
    static let maximumBodyLength = 200_000
    /// The maximum number of values in a list.
    static let maximumValues = 100

    /// Collapses white space to single spaces and removes control characters. Text beyond `limit` scalars is replaced
    /// with "…". Returns `nil` if nothing is left.
    static func line(_ text: some StringProtocol, limit: Int = maximumLineLength) -> String? {
        var result = String.UnicodeScalarView()
        var count = 0
        var isBlankDue = false
        for scalar in text.unicodeScalars {
            if scalar.properties.isWhitespace {
                isBlankDue = count > 0
                continue
            }
            if scalar.properties.generalCategory == .control || scalar == "\u{FEFF}" { continue }
            if count + (isBlankDue ? 2 : 1) > limit {
                result.append("…")
                break
            }
            if isBlankDue { result.append(" ") }
            count += isBlankDue ? 2 : 1
            isBlankDue = false
            result.append(scalar)
        }
        return result.isEmpty ? nil : String(result)
    }

    /// Returns HTML inside another format as a line: without tags, with entities decoded once.
    static func lineOfMarkup(_ text: String, limit: Int = maximumLineLength) -> String? {
        line(decodingEntities(in: withoutTags(text)), limit: limit)
    }

    /// Returns HTML of a description as a line: also without tags written as entities.
    static func proseOfMarkup(_ text: String, limit: Int = maximumDescriptionLength) -> String? {
        line(withoutTags(decodingEntities(in: withoutTags(text))), limit: limit)
    }

    // MARK: - Tags

    private static let inline: Set<String> = [
        "a", "abbr", "b", "bdi", "bdo", "cite", "code", "em", "font", "i", "kbd", "mark", "q", "s", "samp", "small",
        "span",
        "strong", "sub", "sup", "u", "var", "wbr",
    ]

    /// Removes tags and comments: `<` before a letter, slash or exclamation mark, up to the next `>`.
    static func withoutTags(_ text: String) -> String {
        guard text.utf8.contains(0x3C) else { return text }
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var position = 0
        while position < bytes.count {
            let next = position + 1 < bytes.count ? bytes[position + 1] : 0
            guard bytes[position] == 0x3C, next.isASCIILetter || next == 0x2F || next == 0x21 else {
                result.append(bytes[position])
                position += 1
                continue
            }
            guard let end = bytes[position...].firstIndex(of: 0x3E) else {
                // No later tag is closed either.
                result += bytes[position...]
                break
            }
            var start = position + 1
            if bytes[start] == 0x2F { start += 1 }
            let name = String(decoding: bytes[start..<end].prefix(while: \.isASCIILetter), as: UTF8.self).lowercased()
            if !inline.contains(name) { result.append(0x20) }
            position = end + 1
        }
        return String(decoding: result, as: UTF8.self)
    }

    // MARK: - Entities

    /// Decodes entities such as `&amp;`, `&eacute;`, `&#8217;` and `&#x2019;`.
    static func decodingEntities(in text: String) -> String {
        guard text.utf8.contains(0x26) else { return text }
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var position = 0
        while position < bytes.count {
            guard bytes[position] == 0x26, let end = bytes[position...].prefix(12).firstIndex(of: 0x3B),
                let scalar = scalar(of: bytes[(position + 1)..<end])
            else {
                result.append(bytes[position])
                position += 1
                continue
            }
            result += Array(String(Character(scalar)).utf8)
            position = end + 1
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func scalar(of name: ArraySlice<UInt8>) -> Unicode.Scalar? {
        let text = String(decoding: name, as: UTF8.self)
        if text.hasPrefix("#") {
            let isHexadecimal = text.dropFirst().first.map { $0 == "x" || $0 == "X" } ?? false
            let value = isHexadecimal ? UInt32(text.dropFirst(2), radix: 16) : UInt32(text.dropFirst())
            return value.flatMap(Unicode.Scalar.init)
        }
        if text == "apos" { return "'" }
        guard !text.isEmpty, text.utf8.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit }) else { return nil }
        // Safe: the text ends with NUL and lives during the call.
        let value = unsafe text.withCString { unsafe sb_html_entity($0) }
        return value == 0 ? nil : Unicode.Scalar(value)
    }
}

extension UInt8 {
    var isASCIILetter: Bool { (0x61...0x7A).contains(self | 0x20) }
    var isASCIIDigit: Bool { (0x30...0x39).contains(self) }
}
