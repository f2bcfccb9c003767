import CSwitchboardPhoneNumber

// Each `unsafe` is safe because the C code reads the text only during the call and up to its length, and ends each of
// its results with NUL within the array.

/// The forms of a phone number by which it is recognised and searched.
struct PhoneForms {
    /// The distinct international, national and trunk-prefix forms, or only the digits if the number cannot be parsed.
    let searchForms: [String]
    /// The international form, or else the digits; empty for a text without digits.
    let identity: String

    /// Parses a number as dialled from a region. Takes some 12 µs, and once per process some 15 ms to load
    /// libphonenumber.
    init(_ text: String, region: String?) {
        var number = sb_phone_number()
        var text = text
        let isValid = text.withUTF8 { bytes -> Bool in
            guard let base = bytes.baseAddress, !bytes.isEmpty else { return false }
            return unsafe base.withMemoryRebound(to: CChar.self, capacity: bytes.count) { start in
                guard let region else {
                    return unsafe sb_phone_parse(start, bytes.count, nil, false, &number) == SB_PHONE_OK
                }
                return unsafe region.withCString {
                    unsafe sb_phone_parse(start, bytes.count, $0, false, &number) == SB_PHONE_OK
                }
            }
        }
        guard isValid else {
            let digits = text.unicodeScalars.compactMap { scalar -> Character? in
                guard let value = scalar.properties.numericValue, scalar.properties.numericType == .decimal else {
                    return nil
                }
                return Character(String(Int(value)))
            }
            identity = String(digits)
            searchForms = digits.isEmpty ? [] : [text.first == "+" ? "+" + identity : identity]
            return
        }
        let international = PhoneForms.text(of: number.e164)
        var forms = [international]
        for form in [PhoneForms.text(of: number.national), PhoneForms.text(of: number.trunk)]
        where !form.isEmpty && !forms.contains(form) {
            forms.append(form)
        }
        searchForms = forms
        identity = international
    }

    /// The forms separated by spaces, as stored.
    var stored: String { searchForms.joined(separator: " ") }

    /// Returns the text of a C array, up to its NUL byte.
    private static func text<Characters>(of characters: Characters) -> String {
        unsafe withUnsafeBytes(of: characters) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
