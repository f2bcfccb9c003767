import CSwitchboardPhoneNumber

/// A phone number: as it was typed, and as every network writes it.
///
/// For example:
///
///     let number = PhoneNumber("0532 123 45 67", region: "TR")
///     number.e164              // "+905321234567"
///     number.searchReadings    // ["+905321234567", "5321234567", "05321234567"]
///
/// A number that has no international writing (a short code, a local number, a national number without a region to read
/// it in) keeps its text, and its digits are what it is found by.
///
/// Reading a text takes about 12 µs; the first one in a process also loads libphonenumber (some 15 ms). The other
/// initializer takes the parts as they were stored and costs nothing.
public struct PhoneNumber: Hashable, Sendable {
    /// The number as it was typed or imported.
    public let text: String
    /// The international writing, `+` and digits (ITU-T E.164), or nil if the text has none.
    public let e164: String?
    /// The national significant number (neither country code nor trunk prefix); the digits of the text without an `e164`.
    public let nationalNumber: String
    /// As dialled inside the country, with the trunk prefix: "05321234567", "89123456789"; nil where there is none.
    public let trunkNumber: String?
    /// The digits after "ext."; nil if there are none.
    public let extensionNumber: String?

    /// Reads a text as dialled from a region.
    ///
    /// - Parameters:
    ///   - text: the number with any separators, in any script's digits.
    ///   - region: an ISO 3166 code of two letters ("TR"), for numbers without a country code; nil reads those as typed.
    public init(_ text: String, region: String? = nil) {
        let reading = PhoneNumber.read(text, region: region)
        self.init(
            text: text,
            e164: reading?.e164,
            nationalNumber: reading?.national ?? PhoneNumber.digits(of: text),
            trunkNumber: reading?.trunk,
            extensionNumber: reading?.extensionNumber)
    }

    /// A number whose parts are known, as the store gives them back.
    public init(
        text: String, e164: String?, nationalNumber: String, trunkNumber: String?, extensionNumber: String? = nil
    ) {
        self.text = text
        self.e164 = e164
        self.nationalNumber = nationalNumber
        self.trunkNumber = trunkNumber
        self.extensionNumber = extensionNumber
    }

    /// The writings a search compares with: international, national significant, with the trunk prefix; each once.
    ///
    /// Of a number without an international writing: its digits, with the plus if it was typed with one.
    public var searchReadings: [String] {
        guard let e164 else {
            guard !nationalNumber.isEmpty else { return [] }
            return [
                text.unicodeScalars.first { !$0.properties.isWhitespace } == "+" ? "+" + nationalNumber : nationalNumber
            ]
        }
        var readings = [e164]
        for reading in [nationalNumber, trunkNumber] {
            if let reading, !readings.contains(reading) { readings.append(reading) }
        }
        return readings
    }

    /// What two writings of one number have in common: the international one and the extension, or else the digits.
    public var identity: String {
        guard let extensionNumber else { return e164 ?? nationalNumber }
        return (e164 ?? nationalNumber) + "x" + extensionNumber
    }

    /// Whether libphonenumber is installed; without it numbers are kept as typed.
    public static var isNormalisationAvailable: Bool { sb_phone_is_available() }
}

// MARK: - Details

extension PhoneNumber {
    /// What the numbering plans of the world say about a number beyond its writings.
    public struct Details: Hashable, Sendable {
        /// The country code, 90 of "+90 532…".
        public let countryCode: Int
        /// The territory of the number, an ISO 3166 code; "001" for numbers of none.
        public let region: String
        /// Whether the plan of the territory has such a number, and not only numbers of that length.
        public let isValid: Bool
    }

    /// Looks the number up in the numbering plans; nil without an international writing.
    ///
    /// Takes about 20 µs.
    public var details: Details? {
        guard let e164 else { return nil }
        var number = sb_phone_number()
        guard PhoneNumber.parse(e164, region: nil, inDepth: true, into: &number) else { return nil }
        return Details(
            countryCode: Int(number.country_code), region: PhoneNumber.text(of: number.region), isValid: number.is_valid
        )
    }
}

// MARK: - Reading

extension PhoneNumber {
    private struct Reading {
        let e164: String
        let national: String
        let trunk: String?
        let extensionNumber: String?
    }

    private static func read(_ text: String, region: String?) -> Reading? {
        var number = sb_phone_number()
        if !parse(text, region: region, inDepth: false, into: &number) {
            // Without a region, `00` is read as `+`: most of the world dials so, and no national number begins that way.
            let digits = digits(of: text)
            guard region == nil, digits.hasPrefix("00"), digits.utf8.count > 8 else { return nil }
            guard parse("+" + digits.dropFirst(2), region: nil, inDepth: false, into: &number) else { return nil }
        }
        let trunk = self.text(of: number.trunk)
        let extensionNumber = self.text(of: number.`extension`)
        return Reading(
            e164: self.text(of: number.e164),
            national: self.text(of: number.national),
            trunk: trunk.isEmpty ? nil : trunk,
            extensionNumber: extensionNumber.isEmpty ? nil : extensionNumber)
    }

    private static func parse(_ text: String, region: String?, inDepth: Bool, into number: inout sb_phone_number)
        -> Bool
    {
        var text = text
        return text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                let status =
                    if let region {
                        region.uppercased().withCString {
                            sb_phone_parse(characters.baseAddress, characters.count, $0, inDepth, &number)
                        }
                    } else {
                        sb_phone_parse(characters.baseAddress, characters.count, nil, inDepth, &number)
                    }
                return status == SB_PHONE_OK
            }
        }
    }

    /// The decimal digits of a text, in whatever script, as ASCII digits.
    static func digits(of text: String) -> String {
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

    /// The text in a C array of characters that ends in a zero byte.
    private static func text<Characters>(of characters: Characters) -> String {
        withUnsafeBytes(of: characters) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
