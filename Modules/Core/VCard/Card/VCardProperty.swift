/// One card as its lines say it, before anything is understood.
public struct VCard: Sendable {
    /// "2.1", "3.0" or "4.0"; "3.0" if the card does not say.
    public var version = "3.0"
    /// The line of BEGIN:VCARD, from 1.
    public var line: Int
    /// Every property between BEGIN and END but VERSION.
    public var properties: [VCardProperty] = []

    /// The line of the first property that was read as Windows-1252 because it is not UTF-8 and names no other character set.
    public var firstAssumedLine: Int? { properties.first(where: \.isAssumedWindows1252)?.line }

    /// A card without properties.
    public init(line: Int) {
        self.line = line
    }
}

/// One property of a card: `group.NAME;PARAMETER=value:value`.
public struct VCardProperty: Sendable {
    /// What stands between the name and the value: `TYPE=HOME,PREF`.
    public struct Parameter: Sendable {
        /// In capitals; "TYPE" for a bare value of version 2.1.
        public var name: String
        /// What it says, its quotation marks and escapes undone.
        public var values: [String]

        /// A parameter; the name in capitals.
        package init(name: String, values: [String]) {
            self.name = name
            self.values = values
        }
    }

    /// "item1" of "item1.TEL"; empty without a group.
    public var group = ""
    /// In capitals.
    public var name: String
    /// In the order of the line.
    public var parameters: [Parameter] = []
    /// The text, unfolded, its transfer encoding and character set undone; backslashes stand as they were.
    public var value: String
    /// Whether the card is of version 2.1, which has fewer escapes.
    public internal(set) var isVersion21 = false
    /// Whether it is not UTF-8 and names no other character set; it was read as Windows-1252 then.
    public internal(set) var isAssumedWindows1252 = false
    /// The line where the property begins, from 1.
    public var line: Int

    init(name: String, value: String, isVersion21: Bool, line: Int) {
        self.name = name
        self.value = value
        self.isVersion21 = isVersion21
        self.line = line
    }

    /// The values of a parameter, all of them if it stands there more than once.
    public func values(of parameter: String) -> [String] {
        var values: [String] = []
        for candidate in parameters where candidate.name == parameter { values += candidate.values }
        return values
    }

    /// The words that say what the property is for, in small letters: "home", "cell", "pref"; what a person has called it keeps its
    /// capitals: "x-Beach house".
    public var types: [String] {
        var types: [String] = []
        for parameter in parameters where parameter.name == "TYPE" {
            for value in parameter.values {
                // Evolution writes TYPE="WORK,VOICE".
                for word in value.split(separator: ",") {
                    let small = word.lowercased()
                    types.append(small.hasPrefix("x-") ? "x-" + word.dropFirst(2) : small)
                }
            }
        }
        return types
    }

    /// Whether the card marks the property as the one to use: `TYPE=PREF`, or `PREF=1` of version 4.
    public var isPreferred: Bool {
        types.contains("pref") || values(of: "PREF").first == "1"
    }
}

// MARK: - Escaped text

extension VCardProperty {
    /// The value as one text.
    public var text: String { VCardText.unescaped(value[...], isVersion21: isVersion21) }

    /// The parts of a structured value, as those of N and ADR; a list inside a part is joined by spaces.
    public var components: [String] {
        VCardText.split(value, at: ";").map { part in
            guard part.contains(",") else { return VCardText.unescaped(part, isVersion21: isVersion21) }
            if isVersion21 { return VCardText.unescaped(part, isVersion21: true) }
            return VCardText.split(part, at: ",").map { VCardText.unescaped($0, isVersion21: false) }
                .filter { !$0.isEmpty }.joined(separator: " ")
        }
    }

    /// The texts of a list value, as that of NICKNAME.
    public var list: [String] {
        VCardText.split(value, at: ",").map { VCardText.unescaped($0, isVersion21: isVersion21) }
    }
}

/// The escapes of vCard text values (RFC 6350, section 3.4; RFC 2426, section 2.4.2; vCard 2.1, section 2.1.4.2).
public enum VCardText {
    /// A text without its escapes; those that the version does not have stay as they are.
    public static func unescaped(_ text: some StringProtocol, isVersion21: Bool) -> String {
        guard text.utf8.contains(0x5C) else { return String(text) }
        var result = String.UnicodeScalarView()
        var isEscaped = false
        for scalar in text.unicodeScalars {
            if isEscaped {
                isEscaped = false
                switch scalar {
                case "n", "N":
                    // In 2.1 a line feed is written in quoted-printable, and C:\new is a folder.
                    if isVersion21 { result.append("\\") }
                    result.append(isVersion21 ? scalar : "\n")
                case "\\", ";", ",", ":", "\"": result.append(scalar)
                default:
                    result.append("\\")
                    result.append(scalar)
                }
            } else if scalar == "\\" {
                isEscaped = true
            } else {
                result.append(scalar)
            }
        }
        if isEscaped { result.append("\\") }
        return String(result)
    }

    /// Segmentations at a separator that no backslash precedes.
    public static func split(_ text: some StringProtocol, at separator: Unicode.Scalar) -> [Substring] {
        let text = Substring(text)
        var parts: [Substring] = []
        var start = text.startIndex
        var isEscaped = false
        for index in text.unicodeScalars.indices {
            let scalar = text.unicodeScalars[index]
            if isEscaped {
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else if scalar == separator {
                parts.append(text[start..<index])
                start = text.unicodeScalars.index(after: index)
            }
        }
        parts.append(text[start...])
        return parts
    }

    /// A text as it stands in a card of version 3 or 4.
    public static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == 0x5C || $0 == 0x2C || $0 == 0x3B || $0 == 0x0A || $0 == 0x0D }) else {
            return text
        }
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case ",": result += "\\,"
            case ";": result += "\\;"
            case "\n": result += "\\n"
            case "\r": continue
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
