import SwitchboardPhoneNumbers

/// The forms of a phone number by which it is recognized and searched.
struct PhoneForms {
    /// The distinct international, national and trunk-prefix forms, or only the digits if the number cannot be parsed.
    let searchForms: [String]
    /// The key that is equal for all notations of the number; empty without a number.
    let identity: String

    /// Parses a number as dialed from a region.
    init(_ text: String, region: String?) {
        let number = ParsedPhoneNumber(text, region: region)
        identity = PhoneNumberIdentity.of(text, e164: number?.e164, extensionNumber: number?.extensionNumber)
        if let number {
            searchForms = ParsedPhoneNumber.forms(e164: number.e164, national: number.national, trunk: number.trunk)
        } else {
            let digits = ParsedPhoneNumber.digits(of: text)
            searchForms = digits.isEmpty ? [] : [text.first == "+" ? "+" + digits : digits]
        }
    }

    var stored: String { searchForms.joined(separator: " ") }
}
