import CSwitchboardCodes
import Foundation
import SwitchboardVCard

/// The contents of a code: bytes, and the character sets that the code announces for them.
///
/// The announced character set decides. Bytes without one are UTF-8 if they are valid, otherwise Shift_JIS in a code with
/// kanji, otherwise in the character set of the language whose letters they are.
struct CodeContents: Hashable, Sendable {
    /// Bytes in one character set.
    struct Segment: Hashable {
        /// The assignment number of an announced character set (AIM ITS/04-023); nil if none is announced.
        var characterSet: Int?
        var bytes: [UInt8]
    }

    private(set) var segments: [Segment] = []

    /// The bytes without announcements.
    var bytes: [UInt8] { segments.flatMap(\.bytes) }

    /// `true` if the code announces no character set.
    var isUnannounced: Bool { segments.allSatisfy { $0.characterSet == nil } }

    /// Creates contents without announcements.
    init(_ bytes: [UInt8]) { append(bytes, in: nil) }

    /// Creates contents in the ECI protocol (ISO/IEC 15424): a backslash and six digits announce the character set of the
    /// bytes after it, two backslashes are one.
    init(protocol bytes: [UInt8]) {
        var characterSet: Int?
        var segment: [UInt8] = []
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\\"), rest.first != byte,
                let number = Int(String(decoding: rest.prefix(6), as: UTF8.self))
            {
                append(segment, in: characterSet)
                segment = []
                characterSet = number == Int(SB_CODE_UNANNOUNCED) ? nil : number
                rest = rest.dropFirst(6)
            } else {
                if byte == UInt8(ascii: "\\") { rest = rest.dropFirst() }
                segment.append(byte)
            }
        }
        append(segment, in: characterSet)
    }

    private mutating func append(_ bytes: [UInt8], in characterSet: Int?) {
        if bytes.isEmpty { return }
        if let last = segments.indices.last, segments[last].characterSet == characterSet {
            segments[last].bytes += bytes
        } else {
            segments.append(Segment(characterSet: characterSet, bytes: bytes))
        }
    }

    /// Appends the next part of a structured append. An announcement lasts until the next one.
    mutating func append(_ next: CodeContents) {
        let last = segments.last?.characterSet
        for segment in next.segments {
            append(segment.bytes, in: segment.characterSet ?? (next.isUnannounced ? last : nil))
        }
    }
}

// MARK: - Text

extension CodeContents {
    /// The text, without surrounding whitespace, a byte order mark and NUL characters, which a vCard cannot contain.
    var text: String {
        let unannounced = segments.filter { $0.characterSet == nil }.map(\.bytes)
        let assumed = Self.encoding(ofUnannounced: unannounced, hasKanji: segments.contains { $0.characterSet == 20 })
        let text = segments.map { segment in
            let announced = segment.characterSet.flatMap(Self.encoding)?.decode(segment.bytes)
            return announced ?? assumed.decode(segment.bytes) ?? Charset.windows1252(segment.bytes[...])
        }
        var scalars = text.joined().unicodeScalars
        scalars.removeAll { $0 == "\0" || $0 == "\u{FEFF}" }
        return String(scalars).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static func encoding(ofUnannounced segments: [[UInt8]], hasKanji: Bool) -> TextEncoding {
        if let bytes = segments.first, bytes.count >= 4 {
            if bytes.starts(with: [0xFE, 0xFF]) || bytes[0] == 0 && bytes[1] != 0 && bytes[2] == 0 { return .utf16BE }
            if bytes.starts(with: [0xFF, 0xFE]) || bytes[0] != 0 && bytes[1] == 0 && bytes[3] == 0 { return .utf16LE }
        }
        if segments.allSatisfy({ TextEncoding.utf8.decode($0) != nil }) { return .utf8 }
        if hasKanji, segments.allSatisfy({ TextEncoding.shiftJIS.decode($0) != nil }) { return .shiftJIS }
        return TextEncoding(likelyOf: segments.flatMap(\.self))
    }

    /// Returns the encoding with an assignment number; nil if the number has none, or one that tells nothing (ASCII, binary).
    private static func encoding(_ number: Int) -> TextEncoding? {
        switch number {
        case 0, 2: .codePage437
        case 1, 3: .windows1252
        case 4...13, 15...18: .iso8859(part: number - 2)
        case 20: .shiftJIS
        case 21: .windows1250
        case 22: .windows1251
        case 23: .windows1252
        case 24: .windows1256
        case 25: .utf16BE
        case 26: .utf8
        case 28: .big5
        case 29, 31, 32: .gb18030
        case 30: .eucKR
        case 33: .utf16LE
        case 34: .utf32BE
        case 35: .utf32LE
        default: nil
        }
    }
}

/// A character encoding of codes.
enum TextEncoding: Hashable {
    case utf8, utf16BE, utf16LE, utf32BE, utf32LE
    case windows1250, windows1251, windows1252, windows1253, windows1254, windows1255, windows1256, windows1257
    case codePage437, koi8R, thai
    case iso8859(part: Int)
    case shiftJIS, gb18030, big5, eucKR

    /// Returns the text of bytes; nil if they are not valid in the encoding.
    func decode(_ bytes: [UInt8]) -> String? {
        switch self {
        case .utf8: return String(validating: bytes, as: UTF8.self)
        case .windows1252: return Charset.windows1252(bytes[...])
        default:
            // Foundation takes an invalid surrogate for U+FFFD.
            guard let text = String(data: Data(bytes), encoding: encoding) else { return nil }
            return text.unicodeScalars.contains("\u{FFFD}") ? nil : text
        }
    }

    /// Returns the bytes of a character; nil if it is not in the encoding.
    func encode(_ scalar: Unicode.Scalar) -> [UInt8]? {
        String(scalar).data(using: encoding).map { Array($0) }
    }

    // CoreFoundation's encodings without a constant in Foundation (CFStringEncodingExt.h) have the high bit set.
    private var encoding: String.Encoding {
        switch self {
        case .utf8: .utf8
        case .utf16BE: .utf16BigEndian
        case .utf16LE: .utf16LittleEndian
        case .utf32BE: .utf32BigEndian
        case .utf32LE: .utf32LittleEndian
        case .windows1250: .windowsCP1250
        case .windows1251: .windowsCP1251
        case .windows1252: .windowsCP1252
        case .windows1253: .windowsCP1253
        case .windows1254: .windowsCP1254
        case .windows1255: String.Encoding(rawValue: 0x8000_0505)
        case .windows1256: String.Encoding(rawValue: 0x8000_0506)
        case .windows1257: String.Encoding(rawValue: 0x8000_0507)
        case .codePage437: String.Encoding(rawValue: 0x8000_0400)
        case .koi8R: String.Encoding(rawValue: 0x8000_0A02)
        case .thai: String.Encoding(rawValue: 0x8000_041D)
        case .iso8859(let part): String.Encoding(rawValue: 0x8000_0200 + UInt(part))
        case .shiftJIS: .shiftJIS
        case .gb18030: String.Encoding(rawValue: 0x8000_0632)
        case .big5: String.Encoding(rawValue: 0x8000_0A03)
        case .eucKR: String.Encoding(rawValue: 0x8000_0422)
        }
    }
}
