import SwitchboardErrors

/// An unfolded content line (RFC 6350, section 3.3).
struct ContentLine {
    var bytes: [UInt8] = []
    /// The number of its first physical line, from 1.
    private(set) var line = 1
    /// The character set of values that declare none; nil for UTF-8 or else Windows-1252.
    var charset: String?

    mutating func clear(line: Int) {
        bytes.removeAll(keepingCapacity: true)
        self.line = line
    }

    /// Removes a byte order mark, which may occur within a stream of concatenated files.
    mutating func dropByteOrderMark() {
        if bytes.first == 0xEF, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    }

    /// Removes zero bytes, at which SQLite would truncate the text.
    mutating func dropZeros() {
        if bytes.contains(0) { bytes.removeAll { $0 == 0 } }
    }

    /// Indicates that the line may continue a base64 value: some old phones do not indent these lines.
    var isBase64: Bool { !bytes.isEmpty && bytes.allSatisfy(VCardText.isBase64) }

    /// Indicates that the line has a picture, a sound or a key, which may be large.
    var isMedia: Bool { ContentLine.isMedia(bytes.prefix(128)) }

    /// Returns `true` if a line that begins with these bytes has a picture, a sound or a key.
    static func isMedia(_ start: ArraySlice<UInt8>) -> Bool {
        let head = start.prefix { $0 != UInt8(ascii: ":") }
        var name = head.prefix { $0 != UInt8(ascii: ";") }
        let parameters = head[name.endIndex...]
        if let dot = name.lastIndex(of: UInt8(ascii: ".")) { name = name[(dot + 1)...] }
        if mediaNames.contains(where: { $0.count == name.count && name.elementsEqual($0, by: isSameLetter) }) {
            return true
        }
        return parameters.indices.contains { parameters[$0...].starts(with: base64Parameter, by: isSameLetter) }
    }

    private static let mediaNames = ["PHOTO", "LOGO", "SOUND", "KEY"].map { Array($0.utf8) }
    private static let base64Parameter = Array("ENCODING=B".utf8)

    /// Compares a byte with an uppercase letter, ignoring case.
    private static func isSameLetter(_ byte: UInt8, _ uppercase: UInt8) -> Bool {
        byte == uppercase || (0x61...0x7A).contains(byte) && byte - 0x20 == uppercase
    }

    var isBlank: Bool {
        guard let first = bytes.first else { return true }
        // White space outside ASCII begins with these bytes in UTF-8.
        guard first <= 0x20 || first == 0xC2 || first == 0xE2 || first == 0xE3 || first == 0xEF else { return false }
        return String(decoding: bytes, as: UTF8.self).unicodeScalars.allSatisfy {
            $0.value <= 0x20 || $0 == "\u{FEFF}" || $0 == "\u{200B}" || $0.properties.isWhitespace
        }
    }

    /// The line as text, which is Windows-1252 if it is not UTF-8.
    var text: String {
        var unused = VCardProperty(name: "", value: "", line: line)
        return text(bytes[...], of: &unused)
    }

    var hasColon: Bool { bytes.contains(0x3A) }

    /// Returns `true` if the line is BEGIN:VCARD (or END:VCARD), ignoring case and spaces.
    func isDelimiter(_ keyword: String) -> Bool {
        if bytes.count == keyword.utf8.count + 6, bytes.starts(with: keyword.utf8),
            bytes[keyword.utf8.count...].elementsEqual(":VCARD".utf8)
        {
            return true
        }
        guard bytes.count < 64, let text = String(validating: bytes, as: UTF8.self) else { return false }
        let parts = text.uppercased().split(separator: ":", maxSplits: 1).map { String($0).trimmingWhitespace }
        return parts == [keyword, "VCARD"]
    }

    /// Indicates that the line ends in a soft line break of quoted-printable and continues in the next line.
    var endsInSoftBreak: Bool {
        guard let last = bytes.last(where: { $0 != 0x20 && $0 != 0x09 }), last == 0x3D, let (colon, escapes) = headEnd
        else { return false }
        let head = String(decoding: bytes[..<colon], as: UTF8.self)
        let parameters = ContentLine.splitUnquoted(head[...], at: UInt8(ascii: ";"), escapes).dropFirst().map {
            ContentLine.parameter($0, escapes)
        }
        func hasParameter(_ name: String, _ value: String? = nil) -> Bool {
            parameters.contains { parameter in
                parameter.name == name && (value == nil || parameter.values.contains { $0.uppercased() == value })
            }
        }
        if hasParameter("ENCODING", "QUOTED-PRINTABLE") { return true }
        // A URL may end in an equals sign.
        return bytes.last == 0x3D && hasParameter("CHARSET")
            && ContentLine.isUndeclaredQuotedPrintable(bytes[(colon + 1)...].dropLast())
    }

    /// Removes the soft line break with its trailing spaces, which carry no meaning (RFC 2045, section 6.7).
    mutating func removeSoftBreak() {
        while let last = bytes.popLast(), last != 0x3D {}
    }

    /// Returns `true` if a value is quoted-printable without an ENCODING, as some phones write it beside `CHARSET=`:
    /// every `=` begins an escape, and at least one escape is above ASCII (`=C3`).
    private static func isUndeclaredQuotedPrintable(_ raw: ArraySlice<UInt8>) -> Bool {
        var index = raw.startIndex
        var hasHighByte = false
        while index < raw.endIndex {
            guard raw[index] < 0x80 else { return false }
            if raw[index] == 0x3D {
                guard index + 2 < raw.endIndex, let high = hexDigit(raw[index + 1]), hexDigit(raw[index + 2]) != nil
                else { return false }
                if high >= 8 { hasHighByte = true }
                index += 2
            }
            index += 1
        }
        return hasHighByte
    }

    /// The handling of a backslash in parameters.
    enum Escapes {
        /// A backslash is a character like any other, as in version 2.1.
        case none
        /// `\n` is a line break, as in the example for LABEL in RFC 6350.
        case lineBreaks
        /// `\"` is also a quotation mark, as Apple writes it.
        case quotationMarks
    }

    /// The offset of the first unquoted colon, which ends the name and the parameters, and the escapes of the
    /// parameters.
    private var headEnd: (offset: Int, escapes: Escapes)? {
        let span = bytes.span
        for escapes in [Escapes.quotationMarks, .lineBreaks] {
            var (isQuoted, hasEscape) = (false, false)
            for offset in span.indices {
                if span[offset] == 0x22 {
                    if escapes == .quotationMarks, offset > 0, span[offset - 1] == 0x5C {
                        hasEscape = true
                    } else {
                        isQuoted.toggle()
                    }
                }
                if span[offset] == 0x3A, !isQuoted { return (offset, hasEscape ? escapes : .lineBreaks) }
            }
            // A backslash before a closing quotation mark ("C:\") hides the colon.
            if !hasEscape { break }
        }
        // A stray quotation mark in the parameters hides the colon: fall back to the first one.
        return bytes.firstIndex(of: 0x3A).map { ($0, .lineBreaks) }
    }
}

// MARK: - Property

extension ContentLine {
    /// Parses the line as `group.NAME;PARAMETER=value:value`.
    ///
    /// - Throws: ``MalformedInput`` without a colon or with an invalid name. A value that is invalid in its encoding is
    ///   repaired; see ``VCardProperty/problem``.
    func property(isVersion21: Bool) throws(MalformedInput) -> VCardProperty {
        guard let (colon, escapes) = headEnd else {
            throw MalformedInput(line: line, column: 1, reason: "expected a property, but the line has no colon")
        }
        var property = VCardProperty(name: "", value: "", isVersion21: isVersion21, line: line)
        let head = text(bytes[..<colon], of: &property)
        try readHead(head, escapes == .lineBreaks && isVersion21 ? .none : escapes, into: &property)
        property.value = value(from: colon + 1, of: &property).removingNulls
        return property
    }

    private func readHead(
        _ head: String, _ escapes: Escapes, into property: inout VCardProperty
    ) throws(MalformedInput) {
        let sections = ContentLine.splitUnquoted(head[...], at: UInt8(ascii: ";"), escapes)
        let fullName = sections[0]
        if let dot = fullName.utf8.lastIndex(of: UInt8(ascii: ".")) {
            property.group = String(fullName[..<dot])
            property.name = String(fullName[fullName.utf8.index(after: dot)...])
        } else {
            property.name = String(fullName)
        }
        property.name = property.name.uppercased().trimmingWhitespace
        guard VCardText.isName(property.name) else {
            throw MalformedInput(
                line: line, column: 1,
                reason: "invalid property name “\(fullName.prefix(40))”; use letters, digits and hyphens")
        }
        property.parameters = sections.dropFirst().filter { !$0.isEmpty }.map { ContentLine.parameter($0, escapes) }
    }

    private static func parameter(_ section: Substring, _ escapes: Escapes) -> VCardProperty.Parameter {
        if let label = androidLabel(section) { return .init(name: "TYPE", values: ["X-" + label]) }
        // Compares bytes and scalars: with a combining accent, a separator is a different Character.
        guard let equals = section.utf8.firstIndex(of: UInt8(ascii: "=")) else {
            // Version 2.1: TEL;CELL;VOICE and PHOTO;JPEG;BASE64
            let word = withoutQuotes(section).trimmingWhitespace
            switch word.uppercased() {
            case "QUOTED-PRINTABLE", "BASE64", "8BIT", "7BIT", "B": return .init(name: "ENCODING", values: [word])
            default: return .init(name: "TYPE", values: [word])
            }
        }
        var name = withoutQuotes(section[..<equals]).uppercased()
        // A stray quotation mark hides separators, which are invalid in a name.
        if name.utf8.contains(where: { $0 == 0x3A || $0 == 0x3B }) {
            name.unicodeScalars.removeAll { $0 == ";" || $0 == ":" }
        }
        let values = splitUnquoted(section[section.utf8.index(after: equals)...], at: UInt8(ascii: ","), escapes)
            .map { parameterValue($0, escapes) }
        return .init(name: name.trimmingWhitespace, values: values)
    }

    private static func parameterValue(_ text: Substring, _ escapes: Escapes) -> String {
        // A caret escapes a quotation mark in the same way (RFC 6868).
        var plain =
            escapes == .quotationMarks
            ? withoutQuotes(Substring(text.replacing("\\\"", with: "^'"))) : withoutQuotes(text)
        // C:\new is a folder.
        if escapes != .none, plain.utf8.contains(0x5C), !plain.utf8.dropFirst().starts(with: ":\\".utf8) {
            plain = plain.replacingEscapes(after: "\\") { $0 == "n" || $0 == "N" ? "\n" : nil }
        }
        return plain.utf8.contains(0x5E) ? decodingCarets(plain) : plain
    }

    /// Returns the label of `X-CUSTOM(CHARSET=UTF-8,ENCODING=QUOTED-PRINTABLE,K=C3=B6y)`, Android's custom type.
    private static func androidLabel(_ section: Substring) -> String? {
        guard section.hasPrefix("X-CUSTOM("), section.hasSuffix(")") else { return nil }
        let inside = section.dropFirst(9).dropLast()
        guard let comma = inside.lastIndex(of: ","), inside.contains("QUOTED-PRINTABLE") else { return String(inside) }
        let (bytes, isValid) = quotedPrintable(Array(inside[inside.index(after: comma)...].utf8)[...])
        return isValid ? String(validating: bytes, as: UTF8.self) : nil
    }

    private static func withoutQuotes(_ text: Substring) -> String {
        guard text.utf8.contains(0x22) else { return String(text) }
        return String(String.UnicodeScalarView(text.unicodeScalars.filter { $0 != "\"" }))
    }

    /// Splits a text at each separator outside quotation marks. Returns at least one part.
    private static func splitUnquoted(_ text: Substring, at separator: UInt8, _ escapes: Escapes) -> [Substring] {
        guard text.utf8.contains(separator) else { return [text] }
        var (isQuoted, previous) = (false, UInt8(0))
        let parts = text.utf8.split(omittingEmptySubsequences: false) { byte in
            if byte == UInt8(ascii: "\""), escapes != .quotationMarks || previous != 0x5C { isQuoted.toggle() }
            previous = byte
            return byte == separator && !isQuoted
        }
        return parts.map { Substring($0) }
    }

    /// Decodes the caret escapes of parameter values (RFC 6868).
    private static func decodingCarets(_ text: String) -> String {
        text.replacingEscapes(after: "^") { scalar in
            switch scalar {
            case "n": "\n"
            case "'": "\""
            case "^": "^"
            default: nil
            }
        }
    }
}

// MARK: - Value

extension ContentLine {
    /// Decodes the value and removes the encoding parameters from the property.
    private func value(from start: Int, of property: inout VCardProperty) -> String {
        let raw = bytes[start...]
        guard property.parameters.contains(where: { $0.name == "CHARSET" || $0.name == "ENCODING" }) else {
            return text(raw, of: &property)
        }
        let charset = property.values(of: "CHARSET").first
        let isQuotedPrintable = property.values(of: "ENCODING").contains { $0.uppercased() == "QUOTED-PRINTABLE" }
        if let charset, property.values(of: "ENCODING").isEmpty, ContentLine.isUndeclaredQuotedPrintable(raw),
            let text = Charset.decode(ContentLine.quotedPrintable(raw).bytes[...], named: charset)
        {
            property.parameters.removeAll { $0.name == "CHARSET" }
            return text
        }
        property.parameters.removeAll { parameter in
            parameter.name == "CHARSET"
                || parameter.name == "ENCODING"
                    && parameter.values.contains { ["QUOTED-PRINTABLE", "8BIT", "7BIT"].contains($0.uppercased()) }
        }
        var decoded = raw
        if isQuotedPrintable {
            let (bytes, isValid) = ContentLine.quotedPrintable(raw)
            decoded = bytes[...]
            if !isValid { property.problem = "\(property.name) is not valid quoted-printable; it is kept as it is" }
        }
        guard let charset else { return text(decoded, of: &property) }
        if let text = Charset.decode(decoded, named: charset) { return text }
        return repaired(decoded, named: charset, isQuotedPrintable, of: &property)
    }

    /// Decodes bytes that are invalid in their declared character set.
    ///
    /// A character cut off in UTF-8, as phones that limit the length of a name write it, becomes U+FFFD. Other bytes
    /// are decoded as if they declared nothing.
    private func repaired(
        _ raw: ArraySlice<UInt8>, named charset: String, _ isQuotedPrintable: Bool, of property: inout VCardProperty
    ) -> String {
        let subject =
            Charset.isKnown(charset)
            ? "\(property.name) is not valid in its character set “\(charset)”"
            : "\(property.name) has the unknown character set “\(charset)”"
        let isUTF8 = ["UTF-8", "UTF8"].contains(charset.uppercased())
        let text = String(decoding: raw, as: UTF8.self)
        let isMostlyUTF8 = text.unicodeScalars.contains { $0.value >= 0x80 && $0 != "\u{FFFD}" }
        let isCutOff = isQuotedPrintable && raw.allSatisfy { $0 < 0xF5 && $0 != 0xC0 && $0 != 0xC1 }
        if isUTF8, isMostlyUTF8 || isCutOff {
            property.problem = subject + "; its invalid bytes became U+FFFD"
            return text
        }
        if let text = String(validating: raw, as: UTF8.self) {
            property.problem = subject + "; it was read as UTF-8"
            return text
        }
        property.problem = subject + "; it was read as Windows-1252"
        return Charset.windows1252(raw)
    }

    /// Decodes bytes without a declared character set as UTF-8 or, failing that, as Windows-1252, which accepts any
    /// bytes. Marks the property if they are not UTF-8.
    private func text(_ raw: ArraySlice<UInt8>, of property: inout VCardProperty) -> String {
        if let charset, let text = Charset.decode(raw, named: charset) { return text }
        if let text = String(validating: raw, as: UTF8.self) { return text }
        property.isAssumedWindows1252 = true
        return Charset.windows1252(raw)
    }

    /// Decodes quoted-printable without soft line breaks (RFC 2045, section 6.7). An invalid escape stays.
    private static func quotedPrintable(_ raw: ArraySlice<UInt8>) -> (bytes: [UInt8], isValid: Bool) {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(raw.count)
        var isValid = true
        var index = raw.startIndex
        while index < raw.endIndex {
            guard raw[index] == 0x3D else {
                decoded.append(raw[index])
                index += 1
                continue
            }
            guard index + 2 < raw.endIndex, let high = hexDigit(raw[index + 1]), let low = hexDigit(raw[index + 2])
            else {
                isValid = false
                decoded.append(raw[index])
                index += 1
                continue
            }
            // CR LF becomes a single line feed.
            let byte = high << 4 | low
            if byte != 0x0D { decoded.append(byte) }
            index += 3
        }
        return (decoded, isValid)
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}

/// Builds the content lines of a vCard or an iCalendar object, each terminated by CR LF.
public struct VCardLines: Sendable {
    /// The maximum length of a line in octets without its line break (RFC 6350, section 3.2; RFC 5545, section 3.1).
    public static let longestLine = 75

    /// The lines added so far.
    public private(set) var text = ""

    private let isFolded: Bool

    /// Creates an empty builder.
    ///
    /// - Parameter isFolded: `true` to fold long lines. Many readers of QR codes cannot unfold them.
    public init(isFolded: Bool = true) {
        self.isFolded = isFolded
    }

    /// Adds a line, folding it to at most ``longestLine`` octets without splitting a scalar.
    public mutating func add(_ line: String) {
        guard isFolded, line.utf8.count > VCardLines.longestLine else {
            text += line
            text += "\r\n"
            return
        }
        var length = 0
        for scalar in line.unicodeScalars {
            let width = UTF8.width(scalar)
            if length + width > VCardLines.longestLine {
                text += "\r\n "
                length = 1
            }
            text.unicodeScalars.append(scalar)
            length += width
        }
        text += "\r\n"
    }
}
