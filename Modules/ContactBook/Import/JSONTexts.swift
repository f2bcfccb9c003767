/// Texts as a JSON array, for `json_each`: ten times as quick as Foundation's encoder, for which each text is a value of its own.
enum JSONTexts {
    /// `[["…"], ["…", "…"]]`
    static func arrays(_ rows: [[String]]) -> String {
        var bytes = [UInt8(ascii: "[")]
        for (index, row) in rows.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            write(row, into: &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func write(_ texts: some Sequence<String>, into bytes: inout [UInt8]) {
        var separator = UInt8(ascii: "[")
        var isEmpty = true
        for text in texts {
            bytes.append(separator)
            separator = UInt8(ascii: ",")
            isEmpty = false
            write(text, into: &bytes)
        }
        if isEmpty { bytes.append(UInt8(ascii: "[")) }
        bytes.append(UInt8(ascii: "]"))
    }

    private static func write(_ text: String, into bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
            bytes += text.utf8
        } else {
            for byte in text.utf8 {
                switch byte {
                case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
                case 0..<0x20: bytes += "\\u00\(byte < 0x10 ? "0" : "")\(String(byte, radix: 16))".utf8
                default: bytes.append(byte)
                }
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
