/// One unfolded line of a card in bytes, and the places in the file that its bytes came from.
struct LogicalLine {
    /// What stands between two line ends that are no folds.
    var bytes: [UInt8] = []
    /// The line where it begins, from 1.
    private(set) var line = 1
    private var continuations: [(offset: Int, line: Int, column: Int)] = []

    mutating func clear(line: Int) {
        bytes.removeAll(keepingCapacity: true)
        continuations.removeAll(keepingCapacity: true)
        self.line = line
    }

    /// Notes that the bytes to come stand in another line of the file.
    mutating func markContinuation(line: Int, column: Int) {
        continuations.append((bytes.count, line, column))
    }

    /// Takes off a byte order mark, as each file has one where several were joined.
    mutating func dropByteOrderMark() {
        if bytes.first == 0xEF, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    }

    /// Takes off zero bytes: no text has them, and a database ends a text there.
    mutating func dropZeros() {
        if bytes.contains(0) { bytes.removeAll { $0 == 0 } }
    }

    /// Whether this is no property but more of a base64 value: some old telephones do not indent its lines.
    var isBase64: Bool {
        !bytes.isEmpty
            && bytes.allSatisfy { byte in
                switch byte {
                case 0x41...0x5A, 0x61...0x7A, 0x30...0x39, 0x2B, 0x2F, 0x3D: true
                default: false
                }
            }
    }

    /// Whether there is nothing but blanks.
    var isEmpty: Bool { bytes.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x1A } }

    /// Whether this is BEGIN:VCARD (or END:VCARD), in any case, with blanks.
    func isDelimiter(_ keyword: String) -> Bool {
        if bytes.count == keyword.utf8.count + 6, bytes.starts(with: keyword.utf8),
            bytes[keyword.utf8.count...].elementsEqual(":VCARD".utf8)
        {
            return true
        }
        guard bytes.count < 64, let text = String(validating: bytes, as: UTF8.self) else { return false }
        let parts = text.uppercased().split(separator: ":", maxSplits: 1).map { String($0).trimmedOfSpaces }
        return parts == [keyword, "VCARD"]
    }

    /// Whether the line goes on in the next one because quoted-printable ends it with an equals sign.
    var endsInSoftBreak: Bool {
        guard let last = bytes.last(where: { $0 != 0x20 && $0 != 0x09 }), last == 0x3D, let colon = endOfHead else {
            return false
        }
        let head = String(decoding: bytes[..<colon], as: UTF8.self)
        let parameters = LogicalLine.splitUnquoted(head[...], at: ";").dropFirst().map(LogicalLine.parameter)
        func says(_ name: String, _ value: String? = nil) -> Bool {
            parameters.contains { parameter in
                parameter.name == name && (value == nil || parameter.values.contains { $0.uppercased() == value })
            }
        }
        if says("ENCODING", "QUOTED-PRINTABLE") { return true }
        // A URL may end in an equals sign.
        return bytes.last == 0x3D && says("CHARSET")
            && LogicalLine.isSilentlyQuotedPrintable(bytes[(colon + 1)...].dropLast())
    }

    /// Takes the equals sign at the end off, and blanks behind it, which mean nothing (RFC 2045, section 6.7).
    mutating func removeSoftBreak() {
        while let last = bytes.popLast(), last != 0x3D {}
    }

    /// Whether a value is quoted-printable although nothing says so, as some telephones write beside `CHARSET=`: it is ASCII and has
    /// bytes above ASCII as `=C3`, and every `=` begins such an escape.
    private static func isSilentlyQuotedPrintable(_ raw: ArraySlice<UInt8>) -> Bool {
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

    /// A fault at a byte of the line.
    func fault(at offset: Int, _ reason: String) -> MalformedInput {
        if let piece = continuations.last(where: { $0.offset <= offset }) {
            return MalformedInput(line: piece.line, column: offset - piece.offset + piece.column, reason: reason)
        }
        return MalformedInput(line: line, column: offset + 1, reason: reason)
    }

    /// Where name and parameters end: the first colon that no quotation marks enclose.
    private var endOfHead: Int? {
        var isQuoted = false
        for (offset, byte) in bytes.enumerated() {
            if byte == 0x22 { isQuoted.toggle() }
            if byte == 0x3A, !isQuoted { return offset }
        }
        // A stray quotation mark in the parameters hides the colon; take the first one then.
        return bytes.firstIndex(of: 0x3A)
    }
}

// MARK: - Property

extension LogicalLine {
    /// Reads the line as `group.NAME;PARAMETER=value:value`.
    ///
    /// - Throws: ``MalformedInput`` if there is no name or colon, or if the value is not in its encoding.
    func property(isVersion21: Bool) throws -> VCardProperty {
        try plainProperty(isVersion21: isVersion21) ?? carefulProperty(isVersion21: isVersion21)
    }

    /// The same for a line that may have anything in it.
    func carefulProperty(isVersion21: Bool) throws -> VCardProperty {
        guard let colon = endOfHead else {
            throw fault(at: 0, "a property was expected: this line has no colon")
        }
        var property = VCardProperty(name: "", value: "", isVersion21: isVersion21, line: line)
        let head = text(bytes[..<colon], of: &property)
        try readHead(head, into: &property)
        property.value = try value(from: colon + 1, of: &property).withoutZeros
        return property
    }

    private func readHead(_ head: String, into property: inout VCardProperty) throws {
        var sections = head.utf8.contains(0x3B) ? LogicalLine.splitUnquoted(head[...], at: ";") : [head[...]]
        let fullName = sections.removeFirst()
        if let dot = fullName.utf8.lastIndex(of: UInt8(ascii: ".")) {
            property.group = String(fullName[..<dot])
            property.name = String(fullName[fullName.utf8.index(after: dot)...])
        } else {
            property.name = String(fullName)
        }
        property.name = property.name.uppercased().trimmedOfSpaces
        let isName = property.name.utf8.allSatisfy {
            (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x5F
        }
        guard isName, !property.name.isEmpty else {
            throw fault(at: 0, "a property was expected: \"\(property.name.prefix(40))\" is no name of one")
        }
        for section in sections where !section.isEmpty {
            property.parameters.append(LogicalLine.parameter(section))
        }
    }

    private static func parameter(_ section: Substring) -> VCardProperty.Parameter {
        if let label = androidLabel(section) { return .init(name: "TYPE", values: ["X-" + label]) }
        // By bytes and scalars: to a Character a sign with an accent behind it is another one.
        guard let equals = section.utf8.firstIndex(of: UInt8(ascii: "=")) else {
            // Version 2.1: TEL;CELL;VOICE and PHOTO;JPEG;BASE64
            let word = withoutQuotes(section).trimmedOfSpaces
            switch word.uppercased() {
            case "QUOTED-PRINTABLE", "BASE64", "8BIT", "7BIT", "B": return .init(name: "ENCODING", values: [word])
            default: return .init(name: "TYPE", values: [word])
            }
        }
        // A stray quotation mark hides separators, which no name has.
        let name = String(
            String.UnicodeScalarView(
                withoutQuotes(section[..<equals]).uppercased().unicodeScalars.filter { $0 != ";" && $0 != ":" })
        ).trimmedOfSpaces
        let values = splitUnquoted(section[section.utf8.index(after: equals)...], at: ",").map { value in
            let plain = withoutQuotes(value)
            return plain.utf8.contains(0x5E) ? withoutCarets(plain) : plain
        }
        return .init(name: name, values: values)
    }

    /// The label of `X-CUSTOM(CHARSET=UTF-8,ENCODING=QUOTED-PRINTABLE,K=C3=B6y)`, Android's own way to name a number.
    private static func androidLabel(_ section: Substring) -> String? {
        guard section.hasPrefix("X-CUSTOM("), section.hasSuffix(")") else { return nil }
        let inside = section.dropFirst(9).dropLast()
        guard let comma = inside.lastIndex(of: ","), inside.contains("QUOTED-PRINTABLE") else { return String(inside) }
        let text = Array(inside[inside.index(after: comma)...].utf8)
        return (try? LogicalLine().quotedPrintable(text[...])).flatMap { String(validating: $0, as: UTF8.self) }
    }

    private static func withoutQuotes(_ text: Substring) -> String {
        guard text.utf8.contains(0x22) else { return String(text) }
        return String(String.UnicodeScalarView(text.unicodeScalars.filter { $0 != "\"" }))
    }

    private static func splitUnquoted(_ text: Substring, at separator: Unicode.Scalar) -> [Substring] {
        var isQuoted = false
        let parts = text.unicodeScalars.split(omittingEmptySubsequences: false) { scalar in
            if scalar == "\"" { isQuoted.toggle() }
            return scalar == separator && !isQuoted
        }
        return parts.map { Substring($0) }
    }

    /// Undoes the escapes of parameter values (RFC 6868).
    private static func withoutCarets(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        var isEscaped = false
        for scalar in text.unicodeScalars {
            if isEscaped {
                isEscaped = false
                switch scalar {
                case "n": result.append("\n")
                case "'": result.append("\"")
                case "^": result.append("^")
                default:
                    result.append("^")
                    result.append(scalar)
                }
            } else if scalar == "^" {
                isEscaped = true
            } else {
                result.append(scalar)
            }
        }
        if isEscaped { result.append("^") }
        return String(result)
    }
}

// MARK: - Value

extension LogicalLine {
    /// The text of the value; takes the parameters that say how it was written off the property.
    private func value(from start: Int, of property: inout VCardProperty) throws -> String {
        let raw = bytes[start...]
        guard !property.parameters.isEmpty else { return text(raw, of: &property) }
        let charset = property.values(of: "CHARSET").first
        let isQuotedPrintable = property.values(of: "ENCODING").contains { $0.uppercased() == "QUOTED-PRINTABLE" }
        if let charset, property.values(of: "ENCODING").isEmpty, LogicalLine.isSilentlyQuotedPrintable(raw),
            let text = Charset.decode(try quotedPrintable(raw)[...], named: charset)
        {
            property.parameters.removeAll { $0.name == "CHARSET" }
            return text
        }
        property.parameters.removeAll { parameter in
            parameter.name == "CHARSET"
                || parameter.name == "ENCODING"
                    && parameter.values.contains { ["QUOTED-PRINTABLE", "8BIT", "7BIT"].contains($0.uppercased()) }
        }
        let decoded = isQuotedPrintable ? try quotedPrintable(raw)[...] : raw
        if let charset, charset.uppercased() != "UTF-8" {
            guard Charset.isKnown(charset) else { throw fault(at: 0, "the character set \"\(charset)\" is unknown") }
            guard let text = Charset.decode(decoded, named: charset) else {
                throw fault(at: start, "the value is not in the character set \(charset) that it names")
            }
            return text
        }
        guard charset == nil else {
            if let text = String(validating: decoded, as: UTF8.self) { return text }
            let offset = isQuotedPrintable ? 0 : Charset.firstInvalidUTF8(in: raw) ?? 0
            throw fault(at: start + offset, "the value is not in the character set UTF-8 that it names")
        }
        return text(decoded, of: &property)
    }

    /// Bytes that no character set is named for: UTF-8, or else Windows-1252, which old programs write and which has a text for any
    /// bytes. The property remembers that it was not UTF-8.
    private func text(_ raw: ArraySlice<UInt8>, of property: inout VCardProperty) -> String {
        if let text = String(validating: raw, as: UTF8.self) { return text }
        property.isAssumedWindows1252 = true
        return Charset.windows1252(raw)
    }

    /// Undoes quoted-printable (RFC 2045, section 6.7); soft breaks are gone already.
    private func quotedPrintable(_ raw: ArraySlice<UInt8>) throws -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(raw.count)
        var index = raw.startIndex
        while index < raw.endIndex {
            guard raw[index] == 0x3D else {
                decoded.append(raw[index])
                index += 1
                continue
            }
            guard index + 2 < raw.endIndex, let high = LogicalLine.hexDigit(raw[index + 1]),
                let low = LogicalLine.hexDigit(raw[index + 2])
            else {
                throw fault(at: index, "the value is not quoted-printable: two hexadecimal digits must follow \"=\"")
            }
            // CR LF is one line feed in the model.
            let byte = high << 4 | low
            if byte != 0x0D { decoded.append(byte) }
            index += 3
        }
        return decoded
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
