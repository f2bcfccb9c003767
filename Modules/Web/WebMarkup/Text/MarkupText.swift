import CSwitchboardLibXML2

/// Texts of pages as people read them: one blank where there were many, no tags, no endless ones.
enum MarkupText {
    /// The most scalars of a name or a title.
    static let longestLine = 1000
    /// The most scalars of a description.
    static let longestDescription = 5000
    /// The most scalars of a body, such as that of an article.
    static let longestBody = 200_000
    /// The most values of a list.
    static let mostValues = 100

    /// With wordSuffixes of white space as one blank and without control characters; at most `limit` scalars, then "…". Nil if
    /// nothing is left.
    static func line(_ text: some StringProtocol, limit: Int = longestLine) -> String? {
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

    /// A text that may be HTML written into another format: without tags, its entities decoded once, then as a line.
    static func lineOfMarkup(_ text: String, limit: Int = longestLine) -> String? {
        line(decodingEntities(in: withoutTags(text)), limit: limit)
    }

    /// The same for a description, which often has its tags written as entities.
    static func proseOfMarkup(_ text: String, limit: Int = longestDescription) -> String? {
        line(withoutTags(decodingEntities(in: withoutTags(text))), limit: limit)
    }

    // MARK: - Tags

    private static let inline: Set<String> = [
        "a", "abbr", "b", "bdi", "bdo", "cite", "code", "em", "font", "i", "kbd", "mark", "q", "s", "samp", "small",
        "span",
        "strong", "sub", "sup", "u", "var", "wbr",
    ]

    /// Without what is a tag or a comment: `<` before a letter, a slash or an exclamation mark, up to the next `>`.
    static func withoutTags(_ text: String) -> String {
        guard text.utf8.contains(0x3C) else { return text }
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var place = 0
        while place < bytes.count {
            let next = place + 1 < bytes.count ? bytes[place + 1] : 0
            guard bytes[place] == 0x3C, isLetter(next) || next == 0x2F || next == 0x21 else {
                result.append(bytes[place])
                place += 1
                continue
            }
            guard let end = bytes[place...].firstIndex(of: 0x3E) else {
                // Nor has any later one an end.
                result += bytes[place...]
                break
            }
            var start = place + 1
            if bytes[start] == 0x2F { start += 1 }
            let name = String(decoding: bytes[start..<end].prefix(while: isLetter), as: UTF8.self).lowercased()
            if !inline.contains(name) { result.append(0x20) }
            place = end + 1
        }
        return String(decoding: result, as: UTF8.self)
    }

    // MARK: - Entities

    /// With `&amp;`, `&eacute;`, `&#8217;` and `&#x2019;` as the characters they stand for.
    static func decodingEntities(in text: String) -> String {
        guard text.utf8.contains(0x26) else { return text }
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var place = 0
        while place < bytes.count {
            guard bytes[place] == 0x26, let end = bytes[place...].prefix(12).firstIndex(of: 0x3B),
                let scalar = scalar(of: bytes[(place + 1)..<end])
            else {
                result.append(bytes[place])
                place += 1
                continue
            }
            result += Array(String(Character(scalar)).utf8)
            place = end + 1
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
        guard !text.isEmpty, text.utf8.allSatisfy({ isLetter($0) || (0x30...0x39).contains($0) }) else { return nil }
        let value = text.withCString { sb_html_entity($0) }
        return value == 0 ? nil : Unicode.Scalar(value)
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
}
