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
