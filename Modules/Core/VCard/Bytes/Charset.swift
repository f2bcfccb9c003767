import Foundation

/// The character encodings of `CHARSET=` in vCards and of spreadsheets.
public enum Charset {
    /// Decodes bytes in a named encoding (IANA name, any case); nil if the name is unknown or the bytes are invalid.
    public static func decode(_ bytes: ArraySlice<UInt8>, named name: String) -> String? {
        switch name.uppercased() {
        case "UTF-8", "UTF8", "US-ASCII", "ASCII": String(validating: bytes, as: UTF8.self)
        case "WINDOWS-1252", "CP1252", "ISO-8859-1", "LATIN1", "8859-1", "ISO8859-1": windows1252(bytes)
        default: encoding(named: name).flatMap { String(data: Data(bytes), encoding: $0) }
        }
    }

    /// Returns `true` if ``decode(_:named:)`` supports an encoding.
    public static func isKnown(_ name: String) -> Bool {
        decode([], named: name) != nil
    }

    // CoreFoundation's encodings without a constant in Foundation (CFStringEncodingExt.h) have the high bit set.
    private static func encoding(named name: String) -> String.Encoding? {
        switch name.uppercased() {
        case "UTF-16": .utf16
        case "UTF-16LE": .utf16LittleEndian
        case "UTF-16BE": .utf16BigEndian
        case "ISO-8859-2", "LATIN2": .isoLatin2
        case "ISO-8859-9", "LATIN5", "WINDOWS-1254", "CP1254": .windowsCP1254
        case "WINDOWS-1250", "CP1250": .windowsCP1250
        case "WINDOWS-1251", "CP1251": .windowsCP1251
        case "WINDOWS-1253", "CP1253", "ISO-8859-7": .windowsCP1253
        case "SHIFT_JIS", "SHIFT-JIS", "SJIS", "CP932": .shiftJIS
        case "EUC-JP": .japaneseEUC
        case "ISO-2022-JP": .iso2022JP
        case "KOI8-R": String.Encoding(rawValue: 0x8000_0A02)
        case "GB2312", "GBK", "GB18030": String.Encoding(rawValue: 0x8000_0632)
        case "BIG5": String.Encoding(rawValue: 0x8000_0A03)
        case "EUC-KR", "KS_C_5601-1987": String.Encoding(rawValue: 0x8000_0940)
        case "ISO-8859-15", "LATIN9": String.Encoding(rawValue: 0x8000_020F)
        case "ISO-8859-5": String.Encoding(rawValue: 0x8000_0205)
        default: nil
        }
    }

    /// Decodes Windows-1252, which also stands for ISO-8859-1 (WHATWG Encoding Standard). Accepts any bytes.
    public static func windows1252(_ bytes: ArraySlice<UInt8>) -> String {
        var text = String.UnicodeScalarView()
        for byte in bytes {
            let value = (0x80...0x9F).contains(byte) ? windows1252Controls[Int(byte - 0x80)] : UInt16(byte)
            text.append(Unicode.Scalar(value) ?? "\u{FFFD}")
        }
        return String(text)
    }

    private static let windows1252Controls: [UInt16] = [
        0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x008D,
        0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
        0x0153, 0x009D, 0x017E, 0x0178,
    ]

    /// Returns the offset of the first byte that is invalid in UTF-8, or nil if all bytes are valid.
    static func firstInvalidUTF8(in bytes: ArraySlice<UInt8>) -> Int? {
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: bytes.span)
            return nil
        } catch {
            return error.byteOffsets.lowerBound
        }
    }
}
