import CSwitchboardPhoneNumber

/// The forms of a phone number according to libphonenumber.
///
/// Parsing takes about 12 µs. The first parse in a process also loads the library (about 15 ms).
package struct ParsedPhoneNumber: Sendable {
    /// The international form, `+` and digits (ITU-T E.164).
    package let e164: String
    /// The national significant number, without country code and trunk prefix.
    package let national: String
    /// The national number with the trunk prefix; nil if the country has none.
    package let trunk: String?
    /// The extension; nil if there is none.
    package let extensionNumber: String?

    /// Parses a number as dialed from a region; nil if it has no international form, or without libphonenumber.
    ///
    /// - Parameters:
    ///   - text: The number with any separators, in the digits of any script.
    ///   - region: The ISO 3166 code for numbers without a country code; nil if unknown.
    package init?(_ text: String, region: String?) {
        var number = sb_phone_number()
        var text = text
        // Safe: the C code reads the texts only during the call, the number up to its length.
        let status = text.withUTF8 { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { text in
                guard let region else { return unsafe sb_phone_parse(text.baseAddress, text.count, nil, &number) }
                return unsafe region.uppercased().withCString { region in
                    unsafe sb_phone_parse(text.baseAddress, text.count, region, &number)
                }
            }
        }
        guard status == SB_PHONE_OK else { return nil }
        e164 = ParsedPhoneNumber.text(of: number.e164) ?? ""
        national = ParsedPhoneNumber.text(of: number.national) ?? ""
        trunk = ParsedPhoneNumber.text(of: number.trunk)
        extensionNumber = ParsedPhoneNumber.text(of: number.`extension`)
    }

    /// The distinct forms for searching: international, national significant, and with the trunk prefix.
    package static func forms(e164: String, national: String, trunk: String?) -> [String] {
        var forms = [e164]
        for form in [national, trunk] {
            if let form, !forms.contains(form) { forms.append(form) }
        }
        return forms
    }

    /// Returns the decimal digits of a text in any script as ASCII digits.
    package static func digits(of text: String) -> String {
        var digits = ""
        for scalar in text.unicodeScalars {
            if scalar.isASCII {
                if (48...57).contains(scalar.value) { digits.unicodeScalars.append(scalar) }
            } else if scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue {
                digits += String(Int(value))
            }
        }
        return digits
    }

    /// Returns the text of a C array up to its zero byte; nil if it is empty.
    private static func text<Characters>(of characters: Characters) -> String? {
        // Safe: reads no further than the array.
        let text = unsafe withUnsafeBytes(of: characters) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        return text.isEmpty ? nil : text
    }
}

/// The identity of a phone number: equal for all notations of one number, different for different numbers.
///
/// A number with an E.164 form is that form with its extension or pause. Any other number is its text without
/// separators: `555 0100` and `555-0100` are one number, while `*43#`, `#43#` and `43` are three.
package enum PhoneNumberIdentity {
    /// Returns the identity of a number.
    ///
    /// - Parameters:
    ///   - text: The number as typed.
    ///   - e164: Its international form, if it has one.
    ///   - extensionNumber: Its extension, if it has one.
    /// - Complexity: O(*n*) in the length of the text.
    package static func of(_ text: String, e164: String?, extensionNumber: String?) -> String {
        guard let e164 else { return withoutSeparators(text) }
        if let extensionNumber { return e164 + "x" + extensionNumber }
        return e164 + pause(in: text)
    }

    /// Returns a text in lowercase ASCII digits, letters and signs, without spaces, dashes, dots, slashes, parentheses
    /// and invisible characters.
    package static func withoutSeparators(_ text: String) -> String {
        var result = ""
        for var scalar in text.unicodeScalars {
            // Full-width forms have the order of ASCII.
            if (0xFF01...0xFF5E).contains(scalar.value) {
                scalar = Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
            }
            if scalar.isASCII {
                switch scalar {
                case "\0"..." ", "-", ".", "/", "(", ")", "\u{7F}": continue
                case "A"..."Z": result.unicodeScalars.append(Unicode.Scalar(UInt8(scalar.value) | 0x20))
                default: result.unicodeScalars.append(scalar)
                }
                continue
            }
            let properties = scalar.properties
            if properties.numericType == .decimal, let value = properties.numericValue {
                result += String(Int(value))
                continue
            }
            switch properties.generalCategory {
            case .spaceSeparator, .lineSeparator, .paragraphSeparator, .control, .format, .dashPunctuation: continue
            default:
                // U+2212 is the minus sign.
                if scalar.value != 0x2212 { result += properties.lowercaseMapping }
            }
        }
        return result
    }

    /// Returns the pause and the digits after it that follow a number, as in `+4930555012,,1#`; empty without a pause.
    fileprivate static func pause(in text: String) -> String {
        func isPause(_ byte: UInt8) -> Bool { [0x2C, 0x3B, 0x70, 0x77].contains(byte) }
        // Most numbers have none of these letters in either case.
        guard text.utf8.contains(where: { isPause($0 | 0x20) || isPause($0) }) else { return "" }
        let number = withoutSeparators(text)
        guard let start = number.utf8.dropFirst().firstIndex(where: isPause) else { return "" }
        let rest = number.utf8[start...]
        func isDialed(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) || byte == 0x2A || byte == 0x23 }
        // Letters after it belong to a vanity number, such as 1-800-GO-WEST.
        guard rest.allSatisfy({ isDialed($0) || isPause($0) }), rest.contains(where: isDialed) else { return "" }
        return String(number[start...])
    }
}

/// The `tel:` URIs of phone numbers (RFC 3966).
package enum TelephoneURI {
    /// Returns the URI that dials a number; nil if it has no digits.
    ///
    /// Codes and pauses are dialed as typed: `tel:*100%23`, `tel:12345678%2C1`. An extension becomes a parameter, and
    /// the letters of a vanity number become keys.
    ///
    /// - Parameters:
    ///   - text: The number as typed.
    ///   - e164: Its international form, if it has one.
    ///   - extensionNumber: Its extension, if it has one.
    package static func of(_ text: String, e164: String?, extensionNumber: String?) -> String? {
        var number = e164 ?? PhoneNumberIdentity.withoutSeparators(text)
        let pause = PhoneNumberIdentity.pause(in: text)
        // A pause may also have been read as an extension.
        var extensionNumber = pause.isEmpty ? extensionNumber : nil
        if e164 == nil {
            number.removeLast(pause.count)
            if let match = number.wholeMatch(of: /(.*?)(?:extension|extn?|x)([0-9]+)/) {
                (number, extensionNumber) = (String(match.1), String(match.2))
            }
        }
        guard let dialed = keys(of: number) else { return nil }
        return "tel:" + escaped(dialed + pause) + (extensionNumber.map { ";ext=" + $0 } ?? "")
    }

    /// Returns the keys of a number that is partly written in letters, such as 1-800-FLOWERS; nil for other numbers.
    package static func vanityKeys(of text: String) -> String? {
        guard text.utf8.contains(where: { (0x41...0x5A).contains($0 & 0xDF) }),
            let uri = of(text, e164: nil, extensionNumber: nil)
        else { return nil }
        let keys = uri.dropFirst(4).prefix { $0 != ";" && $0 != "%" }
        return keys.utf8.count > ParsedPhoneNumber.digits(of: text).utf8.count ? String(keys) : nil
    }

    /// Returns the keys that dial a number without separators; nil without a digit. Letters that cannot be a vanity
    /// number are left out.
    private static func keys(of number: String) -> String? {
        guard number.utf8.contains(where: { (0x30...0x39).contains($0) }) else { return nil }
        let isSign: (UInt8) -> Bool = { (0x30...0x39).contains($0) || [0x2A, 0x23, 0x2B].contains($0) }
        let isVanity = number.utf8.allSatisfy { isSign($0) || (0x61...0x7A).contains($0) }
        let keys = number.utf8.compactMap { byte -> UInt8? in
            if isSign(byte) { return byte }
            return isVanity ? Array("22233344455566677778889999".utf8)[Int(byte) - 0x61] : nil
        }
        return String(decoding: keys, as: UTF8.self)
    }

    private static func escaped(_ keys: String) -> String {
        keys.replacing("#", with: "%23").replacing(",", with: "%2C").replacing(";", with: "%3B")
    }
}
