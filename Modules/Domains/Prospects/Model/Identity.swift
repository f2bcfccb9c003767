import CSwitchboardPhoneNumber
import SwitchboardTextNormalization

/// What two writings of one e-mail address have in common.
enum EmailKey {
    /// Without regard to case: no mail system people use tells `Ana@example.org` from `ana@example.org`.
    static func key(of address: String) -> String { address.lowercased() }

    /// Whether a text can be an address: something on both sides of an @, and no blanks.
    static func isAddress(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        return parts.count >= 2 && !(parts.first ?? "").isEmpty && !(parts.last ?? "").isEmpty
            && !text.contains(where: \.isWhitespace)
    }
}

/// The ways to write a phone number, by which it is recognised and found.
struct PhoneWritings {
    /// International, national, with the trunk prefix, each once; without an international one the digits as given.
    let searchReadings: [String]
    /// The international writing, or else the digits; empty for a text without any.
    let identity: String

    /// Reads a number as dialled from a region; some 12 µs, and once a process some 15 ms to load libphonenumber.
    init(_ text: String, region: String?) {
        var number = sb_phone_number()
        var text = text
        let isRead = text.withUTF8 { bytes -> Bool in
            guard let base = bytes.baseAddress, !bytes.isEmpty else { return false }
            return base.withMemoryRebound(to: CChar.self, capacity: bytes.count) { start in
                guard let region else { return sb_phone_parse(start, bytes.count, nil, false, &number) == SB_PHONE_OK }
                return region.withCString { sb_phone_parse(start, bytes.count, $0, false, &number) == SB_PHONE_OK }
            }
        }
        guard isRead else {
            let digits = text.unicodeScalars.compactMap { scalar -> Character? in
                guard let value = scalar.properties.numericValue, scalar.properties.numericType == .decimal else {
                    return nil
                }
                return Character(String(Int(value)))
            }
            identity = String(digits)
            searchReadings = digits.isEmpty ? [] : [text.first == "+" ? "+" + identity : identity]
            return
        }
        let international = PhoneWritings.text(of: number.e164)
        var readings = [international]
        for reading in [PhoneWritings.text(of: number.national), PhoneWritings.text(of: number.trunk)]
        where !reading.isEmpty && !readings.contains(reading) {
            readings.append(reading)
        }
        searchReadings = readings
        identity = international
    }

    /// The writings as they are stored, parted by spaces.
    var stored: String { searchReadings.joined(separator: " ") }

    /// The text of a field of C, up to its zero.
    private static func text<Characters>(of characters: Characters) -> String {
        withUnsafeBytes(of: characters) { bytes in String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }
    }
}

/// The words of a name without regard to case, accents and order.
struct NameWords {
    /// The folded words in the order of the name.
    let words: [String]

    init(_ name: String) {
        words = FoldedText(name, transliterating: false).words.map { word in
            String(decoding: word.spellings.first?.letters ?? [], as: UTF16.self)
        }
    }

    /// The folded words in order, by which lists are sorted.
    var sortText: String { words.joined(separator: " ") }

    /// Whether every word of the other name is one of this one.
    func contains(_ other: NameWords) -> Bool { Set(other.words).isSubset(of: words) }

    /// Whether the names have a word in common, or one of them has none.
    func mayBe(_ other: NameWords) -> Bool {
        words.isEmpty || other.words.isEmpty || !Set(words).isDisjoint(with: other.words)
    }
}
