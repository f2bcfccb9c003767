import Glibc

/// The character encoding of a page.
///
/// It is detected as in browsers (HTML Standard, 13.2.3): from a byte order mark, the `Content-Type` header, or a
/// `meta` element near the beginning; otherwise UTF-8 if the bytes are valid, else Windows-1252.
struct PageEncoding: Equatable {
    /// The name of the encoding for iconv; `UTF-8` needs no conversion.
    let name: String
    var markLength = 0

    /// The number of bytes to search for `meta` elements; browsers search 1024.
    private static let prescanLength = 4096
}

extension PageEncoding {
    init(of bytes: [UInt8], contentType: String?) {
        let marks: [([UInt8], String)] = [
            ([0xEF, 0xBB, 0xBF], "UTF-8"), ([0xFF, 0xFE], "UTF-16LE"), ([0xFE, 0xFF], "UTF-16BE"),
        ]
        if let (mark, name) = marks.first(where: { bytes.starts(with: $0.0) }) {
            self.init(name: name, markLength: mark.count)
        } else if let name = contentType.flatMap(Self.charset(in:)).flatMap(Self.iconvName) {
            self.init(name: name)
        } else if bytes.starts(with: [0x3C, 0x00]) {
            self.init(name: "UTF-16LE")
        } else if bytes.starts(with: [0x00, 0x3C]) {
            self.init(name: "UTF-16BE")
        } else if let name = Self.declaredName(in: bytes) {
            self.init(name: name)
        } else {
            self.init(name: String(validating: bytes, as: UTF8.self) != nil ? "UTF-8" : "CP1252")
        }
    }

    // MARK: - Names

    /// Returns the encoding declared by a `meta` element or XML declaration. UTF-16 cannot be declared this way.
    private static func declaredName(in bytes: [UInt8]) -> String? {
        let beginning = String(decoding: bytes.prefix(prescanLength), as: UTF8.self).lowercased()
        var rest = beginning[...]
        if rest.hasPrefix("<?xml"), let end = rest.firstIndex(of: ">") {
            let declaration = rest[..<end]
            if let name = declaredName(value(of: "encoding", in: declaration)) { return name }
        }
        while let open = rest.firstIndex(of: "<") {
            rest = rest[rest.index(after: open)...]
            if rest.hasPrefix("!--") {
                // Skip comments.
                guard let end = rest.firstRange(of: "-->") else { return nil }
                rest = rest[end.upperBound...]
            } else if rest.hasPrefix("meta") {
                if let name = declaredName(value(of: "charset", in: rest.prefix { $0 != ">" })) { return name }
            }
        }
        return nil
    }

    private static func declaredName(_ label: String?) -> String? {
        label.flatMap(iconvName).map { $0.hasPrefix("UTF-16") ? "UTF-8" : $0 }
    }

    /// The charset of a `Content-Type` such as `text/html; charset="utf-8"`.
    static func charset(in contentType: String) -> String? {
        value(of: "charset", in: contentType.lowercased()[...])
    }

    /// Returns the value after `name =`, with or without quotes.
    private static func value(of name: String, in text: Substring) -> String? {
        guard let found = text.firstRange(of: name) else { return nil }
        var rest = text[found.upperBound...].drop(while: \.isWhitespace)
        guard rest.first == "=" else { return nil }
        rest = rest.dropFirst().drop(while: { $0.isWhitespace || $0 == "\"" || $0 == "'" })
        let value = rest.prefix { !$0.isWhitespace && !"\"';,/>".contains($0) }
        return value.isEmpty ? nil : String(value)
    }

    /// Returns the iconv name for a lower-case label of the WHATWG Encoding Standard.
    static func iconvName(_ label: String) -> String? {
        if let name = labels[label] { return name }
        if label.hasPrefix("windows-125") || label.hasPrefix("cp125") || label.hasPrefix("x-cp125") {
            guard let digit = label.last, "0"..."8" ~= digit, label.count <= 12 else { return nil }
            return "CP125\(digit)"
        }
        for prefix in ["iso-8859-", "iso8859-", "iso8859", "iso_8859-"] where label.hasPrefix(prefix) {
            switch Int(label.dropFirst(prefix.count)) {
            case 9: return "CP1254"
            case 11: return "CP874"
            case let part? where (2...16).contains(part) && part != 12: return "ISO-8859-\(part)"
            default: continue
            }
        }
        return nil
    }

    private static let labels = Dictionary(
        dataRows(of: PackageResources.encodings_txt).flatMap { row in
            row[1].split(separator: " ").map { (String($0), row[0]) }
        }, uniquingKeysWith: { first, _ in first })

    // MARK: - Bytes

    /// Returns a page as valid UTF-8 without NUL. Invalid bytes become U+FFFD.
    func decode(_ bytes: [UInt8]) -> [UInt8] {
        let body = bytes.dropFirst(markLength)
        let converted = name == "UTF-8" ? nil : Self.convert(body, from: name)
        var result = converted ?? Array(String(decoding: body, as: UTF8.self).utf8)
        // libxml2 stops at NUL.
        for position in result.indices where result[position] == 0 { result[position] = 0x20 }
        return result
    }

    /// Converts bytes to UTF-8; `nil` if iconv does not support the encoding.
    private static func convert(_ bytes: ArraySlice<UInt8>, from name: String) -> [UInt8]? {
        // Safe: iconv stays within the `left` bytes of the input and the `room` of the chunk, which both live during the
        // calls, and the converter is closed once.
        guard let converter = unsafe iconv_open("UTF-8", name), unsafe converter != iconv_t(bitPattern: -1) else {
            return nil
        }
        defer { unsafe iconv_close(converter) }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + bytes.count / 2)
        var chunk = [CChar](repeating: 0, count: 1 << 16)
        let unit = name.hasPrefix("UTF-16") ? 2 : 1
        // iconv takes a non-const pointer, but does not change the input.
        var input = bytes.map { CChar(bitPattern: $0) }
        // Safe: as above; the pointer to the input advances by at most the bytes that are left.
        unsafe input.withUnsafeMutableBufferPointer { input in
            unsafe chunk.withUnsafeMutableBufferPointer { chunk in
                var next = input.baseAddress
                var left = input.count
                while left > 0 {
                    var output = chunk.baseAddress
                    var room = chunk.count
                    let status = unsafe iconv(converter, &next, &left, &output, &room)
                    let reason = errno
                    unsafe result.append(
                        contentsOf: chunk.prefix(chunk.count - room).lazy.map { UInt8(bitPattern: $0) })
                    guard status == -1, reason != E2BIG else { continue }
                    result.append(contentsOf: [0xEF, 0xBF, 0xBD])
                    // EINVAL is a character cut off by the end of the page; the rest is dropped.
                    guard reason == EILSEQ else { break }
                    let skipped = min(unit, left)
                    unsafe next = next?.advanced(by: skipped)
                    left -= skipped
                }
            }
        }
        return result
    }
}
