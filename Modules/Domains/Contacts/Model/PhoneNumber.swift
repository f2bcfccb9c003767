import SwitchboardPhoneNumbers

/// A phone number as typed and in its international form.
///
/// For example:
///
///     let number = PhoneNumber("0532 123 45 67", region: "TR")
///     number.e164              // "+905321234567"
///     number.searchReadings    // ["+905321234567", "5321234567", "05321234567"]
///
/// A number without an international form (a short code, a local number, a national number without a region) keeps its
/// text and is found by its digits.
///
/// Parsing takes about 12 µs. The first parse in a process also loads libphonenumber (about 15 ms).
public struct PhoneNumber: Hashable, Sendable {
    /// The number as it was typed or imported.
    public let text: String
    /// The international form, `+` and digits (ITU-T E.164); nil if the number has none.
    public let e164: String?
    /// The national significant number, without country code and trunk prefix; the digits of the text if `e164` is nil.
    public let nationalNumber: String
    /// The national number with the trunk prefix, "05321234567"; nil if the country has none.
    public let trunkNumber: String?
    /// The extension; nil if the number has none.
    public let extensionNumber: String?

    /// Parses a number as dialed from a region.
    ///
    /// - Parameters:
    ///   - text: The number with any separators, in the digits of any script.
    ///   - region: The ISO 3166 code ("TR") for numbers without a country code; nil keeps such numbers as typed.
    public init(_ text: String, region: String? = nil) {
        var parsed = ParsedPhoneNumber(text, region: region)
        let digits = parsed == nil ? ParsedPhoneNumber.digits(of: text) : ""
        // Without a region, `00` means `+`, the international prefix of most countries.
        if parsed == nil, region == nil, digits.hasPrefix("00"), digits.utf8.count > 8 {
            parsed = ParsedPhoneNumber("+" + digits.dropFirst(2), region: nil)
        }
        self.init(
            text: text, e164: parsed?.e164, nationalNumber: parsed?.national ?? digits, trunkNumber: parsed?.trunk,
            extensionNumber: parsed?.extensionNumber)
    }

    /// Creates a number from its stored parts, without parsing.
    public init(
        text: String, e164: String?, nationalNumber: String, trunkNumber: String?, extensionNumber: String? = nil
    ) {
        self.text = text
        self.e164 = e164
        self.nationalNumber = nationalNumber
        self.trunkNumber = trunkNumber
        self.extensionNumber = extensionNumber
    }

    /// The distinct forms for searching: international, national significant, and with the trunk prefix.
    ///
    /// A number without an international form has its digits, with the plus sign if typed.
    public var searchReadings: [String] {
        guard let e164 else {
            guard !nationalNumber.isEmpty else { return [] }
            let isInternational = text.unicodeScalars.first { !$0.properties.isWhitespace } == "+"
            let reading = isInternational ? "+" + nationalNumber : nationalNumber
            // The letters of a vanity number are keys, too. One or two belong to an extension.
            let letters = text.utf8.count { (0x41...0x5A).contains($0 & 0xDF) }
            return [reading] + (letters > 2 ? TelephoneURI.vanityKeys(of: text).map { [$0] } ?? [] : [])
        }
        return ParsedPhoneNumber.forms(e164: e164, national: nationalNumber, trunk: trunkNumber)
    }

    /// The forms that are indexed: the international form followed by the extension, whose digits belong to the number,
    /// and ``searchReadings``.
    package var searchFormats: [String] {
        guard let e164, let extensionNumber, !extensionNumber.isEmpty else { return searchReadings }
        // The inside of the first one is searched, too.
        return [e164 + extensionNumber] + searchReadings
    }

    /// A key that is equal for different notations of a number and different for different numbers.
    ///
    /// It is the E.164 form with the extension or pause, or else the text without separators: `*43#`, `#43#` and `43`
    /// are three numbers.
    public var identity: String {
        PhoneNumberIdentity.of(text, e164: e164, extensionNumber: extensionNumber)
    }

    /// The `tel:` URI that dials the number with its codes, pauses and extension; nil if it has no digits.
    public var uri: String? { TelephoneURI.of(text, e164: e164, extensionNumber: extensionNumber) }
}

extension PhoneNumber {
    /// Returns `true` for the same identity, or if a number without an E.164 form equals a search form of the other.
    package func isSame(as other: PhoneNumber) -> Bool {
        if let e164, let theirs = other.e164, e164 != theirs { return false }
        let (identity, otherIdentity) = (identity, other.identity)
        if identity == otherIdentity { return true }
        if e164 != nil, other.e164 != nil { return false }
        let (bare, whole) = e164 == nil ? (identity, other) : (otherIdentity, self)
        // A number with a code, an extension or a pause differs from its digits.
        guard let digits = PhoneNumber.digits(of: bare) else { return false }
        guard whole.e164 != nil else { return digits == PhoneNumber.digits(of: otherIdentity) }
        guard whole.e164 == (e164 == nil ? otherIdentity : identity) else { return false }
        return whole.searchReadings.contains { $0 == digits || $0 == "+" + digits }
    }

    /// Returns the digits of an identity that consists of six or more digits after an optional plus sign; otherwise
    /// nil.
    private static func digits(of identity: String) -> Substring? {
        let digits = identity.hasPrefix("+") ? identity.dropFirst() : identity[...]
        return digits.utf8.count > 5 && digits.utf8.allSatisfy { (0x30...0x39).contains($0) } ? digits : nil
    }
}
