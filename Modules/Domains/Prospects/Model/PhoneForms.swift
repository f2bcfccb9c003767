import SwitchboardPhoneNumbers

/// The forms of a phone number by which it is recognised and searched.
struct PhoneForms {
    /// The distinct international, national and trunk-prefix forms, or only the digits if the number cannot be parsed.
    let searchForms: [String]
    /// The international form, or else the digits; empty for a text without digits.
    let identity: String

    /// Parses a number as dialled from a region.
    init(_ text: String, region: String?) {
        if let number = ParsedPhoneNumber(text, region: region) {
            identity = number.e164
            searchForms = ParsedPhoneNumber.forms(e164: number.e164, national: number.national, trunk: number.trunk)
        } else {
            identity = ParsedPhoneNumber.digits(of: text)
            searchForms = identity.isEmpty ? [] : [text.first == "+" ? "+" + identity : identity]
        }
    }

    var stored: String { searchForms.joined(separator: " ") }
}
