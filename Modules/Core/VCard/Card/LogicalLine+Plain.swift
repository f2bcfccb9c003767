extension LogicalLine {
    /// Reads a line as nearly all are written: a head of letters and digits without quotation marks, escapes and encodings, and a
    /// value in UTF-8. It goes over the bytes once and makes no text that is not in the property.
    ///
    /// - Returns: nil if there is anything else in the line; then the careful reading says what it is.
    func plainProperty(isVersion21: Bool) -> VCardProperty? {
        bytes.withUnsafeBufferPointer { bytes in
            guard let head = PlainHead(bytes), let parameters = head.parameters(of: bytes) else { return nil }
            let raw = UnsafeBufferPointer(rebasing: bytes[(head.end + 1)...])
            guard let value = String(text: raw) else { return nil }
            var property = VCardProperty(
                name: String(capitalsOf: bytes, head.name), value: value, isVersion21: isVersion21, line: line)
            property.parameters = parameters
            if let group = head.group { property.group = String(plain: bytes, group) }
            return property
        }
    }
}

/// Where the parts of a plain head stand in its line: `group.NAME;PARAMETER=value:`.
private struct PlainHead {
    /// Nil without a group.
    private(set) var group: Range<Int>?
    private(set) var name: Range<Int>
    /// Where the colon stands.
    private(set) var end: Int

    /// Nil if there is no name or colon, or a byte before the colon that is not plain.
    init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        var nameStart = 0
        var index = 0
        while index < bytes.count, bytes[index] != UInt8(ascii: ";"), bytes[index] != UInt8(ascii: ":") {
            if bytes[index] == UInt8(ascii: ".") {
                nameStart = index + 1
            } else if !PlainHead.isInName(bytes[index]) {
                return nil
            }
            index += 1
        }
        name = nameStart..<index
        if nameStart > 0 { group = 0..<(nameStart - 1) }
        while index < bytes.count, bytes[index] != UInt8(ascii: ":") {
            guard PlainHead.isPlain(bytes[index]) else { return nil }
            index += 1
        }
        end = index
        if name.isEmpty || end == bytes.count { return nil }
    }

    /// The parameters; nil if one of them says how the value is written.
    func parameters(of bytes: UnsafeBufferPointer<UInt8>) -> [VCardProperty.Parameter]? {
        var parameters: [VCardProperty.Parameter] = []
        var start = name.upperBound + 1
        while start < end {
            let section = start..<(bytes[start..<end].firstIndex(of: UInt8(ascii: ";")) ?? end)
            start = section.upperBound + 1
            if section.isEmpty { continue }
            guard let parameter = PlainHead.parameter(bytes, section) else { return nil }
            parameters.append(parameter)
        }
        return parameters
    }

    private static func parameter(
        _ bytes: UnsafeBufferPointer<UInt8>, _ section: Range<Int>
    ) -> VCardProperty.Parameter? {
        guard let equals = bytes[section].firstIndex(of: UInt8(ascii: "=")) else {
            switch String(capitalsOf: bytes, section) {
            case "QUOTED-PRINTABLE", "BASE64", "8BIT", "7BIT", "B": return nil
            default: return .init(name: "TYPE", values: [String(plain: bytes, section)])
            }
        }
        let name = String(capitalsOf: bytes, section.lowerBound..<equals)
        if name == "ENCODING" || name == "CHARSET" { return nil }
        var values: [String] = []
        var start = equals + 1
        while start <= section.upperBound {
            let end = bytes[start..<section.upperBound].firstIndex(of: UInt8(ascii: ",")) ?? section.upperBound
            values.append(String(plain: bytes, start..<end))
            start = end + 1
        }
        return .init(name: name, values: values)
    }

    /// A letter or digit of ASCII, or one of the signs that mean the same wherever they stand.
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
    /// A text in UTF-8; nil if the bytes are not that, or have a zero among them.
    fileprivate init?(text bytes: UnsafeBufferPointer<UInt8>) {
        var union: UInt8 = 0
        var hasZero = false
        for byte in bytes {
            union |= byte
            hasZero = hasZero || byte == 0
        }
        if hasZero { return nil }
        if union < 0x80 {
            // Nothing to validate, for which String looks up a type each time.
            self.init(decoding: bytes, as: UTF8.self)
        } else {
            self.init(validating: bytes, as: UTF8.self)
        }
    }

    /// Bytes of ASCII as they are.
    fileprivate init(plain bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
        self.init(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
    }

    /// Bytes of ASCII in capitals.
    fileprivate init(capitalsOf bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
        self.init(unsafeUninitializedCapacity: range.count) { text in
            for (place, index) in range.enumerated() {
                let byte = bytes[index]
                text.initializeElement(at: place, to: (0x61...0x7A).contains(byte) ? byte - 0x20 : byte)
            }
            return range.count
        }
    }
}
