extension ContentLine {
    /// Parses a common line in one pass: an ASCII head without quotes, escapes and encodings, and a UTF-8 value.
    ///
    /// - Returns: The property, or nil if the line needs ``fullProperty(isVersion21:)``.
    func fastProperty(isVersion21: Bool) -> VCardProperty? {
        guard !bytes.contains(0) else { return nil }
        let bytes = bytes.span
        guard let head = SimpleHead(bytes), let parameters = head.parameters(of: bytes),
            let value = String(bytes, (head.end + 1)..<bytes.count)
        else { return nil }
        var property = VCardProperty(
            name: String(uppercasedASCII: bytes, head.name), value: value, isVersion21: isVersion21, line: line)
        property.parameters = parameters
        if let group = head.group { property.group = String(ascii: bytes, group) }
        return property
    }
}

/// The ranges of an unquoted ASCII head in its line: `group.NAME;PARAMETER=value:`.
private struct SimpleHead {
    private(set) var group: Range<Int>?
    private(set) var name: Range<Int>
    /// The offset of the colon.
    private(set) var end: Int

    /// Returns nil if the name or the colon is missing, or if the head needs the full parser.
    init?(_ bytes: Span<UInt8>) {
        var nameStart = 0
        var index = 0
        while index < bytes.count, bytes[index] != UInt8(ascii: ";"), bytes[index] != UInt8(ascii: ":") {
            if bytes[index] == UInt8(ascii: ".") {
                nameStart = index + 1
            } else if !SimpleHead.isInName(bytes[index]) {
                return nil
            }
            index += 1
        }
        name = nameStart..<index
        if nameStart > 0 { group = 0..<(nameStart - 1) }
        while index < bytes.count, bytes[index] != UInt8(ascii: ":") {
            guard SimpleHead.isPlain(bytes[index]) else { return nil }
            index += 1
        }
        end = index
        if name.isEmpty || end == bytes.count { return nil }
    }

    /// Returns the parameters, or nil if one of them names an encoding or character set.
    func parameters(of bytes: Span<UInt8>) -> [VCardProperty.Parameter]? {
        var parameters: [VCardProperty.Parameter] = []
        var start = name.upperBound + 1
        while start < end {
            let section = start..<SimpleHead.position(of: ";", in: bytes, start..<end)
            start = section.upperBound + 1
            if section.isEmpty { continue }
            guard let parameter = SimpleHead.parameter(bytes, section) else { return nil }
            parameters.append(parameter)
        }
        return parameters
    }

    private static func parameter(
        _ bytes: Span<UInt8>, _ section: Range<Int>
    ) -> VCardProperty.Parameter? {
        let equals = position(of: "=", in: bytes, section)
        if equals == section.upperBound {
            switch String(uppercasedASCII: bytes, section) {
            case "QUOTED-PRINTABLE", "BASE64", "8BIT", "7BIT", "B": return nil
            default: return .init(name: "TYPE", values: [String(ascii: bytes, section)])
            }
        }
        let name = String(uppercasedASCII: bytes, section.lowerBound..<equals)
        if name == "ENCODING" || name == "CHARSET" { return nil }
        var values: [String] = []
        var start = equals + 1
        while start <= section.upperBound {
            let end = position(of: ",", in: bytes, start..<section.upperBound)
            values.append(String(ascii: bytes, start..<end))
            start = end + 1
        }
        return .init(name: name, values: values)
    }

    /// Returns the offset of a character in a range, or the end of the range.
    private static func position(of character: Unicode.Scalar, in bytes: Span<UInt8>, _ range: Range<Int>) -> Int {
        var position = range.lowerBound
        while position < range.upperBound, bytes[position] != UInt8(ascii: character) { position += 1 }
        return position
    }

    /// Returns `true` for ASCII letters, digits and punctuation whose meaning does not depend on quotes or escapes.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x2B...0x3B, 0x3D, 0x41...0x5A, 0x5F, 0x61...0x7A: true
        default: false
        }
    }

    private static func isInName(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x2D, 0x41...0x5A, 0x5F, 0x61...0x7A: true
        default: false
        }
    }
}

extension String {
    /// Creates a string from UTF-8; nil if the bytes are invalid.
    fileprivate init?(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        guard let text = try? UTF8Span(validating: bytes.extracting(range)) else { return nil }
        self.init(copying: text)
    }

    fileprivate init(ascii bytes: Span<UInt8>, _ range: Range<Int>) { self = String(bytes, range) ?? "" }

    fileprivate init(uppercasedASCII bytes: Span<UInt8>, _ range: Range<Int>) {
        let text = String(ascii: bytes, range)
        self = text.utf8.contains { (0x61...0x7A).contains($0) } ? text.uppercased() : text
    }
}
