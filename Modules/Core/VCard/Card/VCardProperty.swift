/// A vCard as a list of uninterpreted properties.
public struct VCard: Sendable {
    /// "2.1", "3.0" or "4.0"; "3.0" if the card has no VERSION.
    public var version = "3.0"
    /// The line of BEGIN:VCARD, from 1.
    public var line: Int
    /// The properties between BEGIN and END, except VERSION.
    public var properties: [VCardProperty] = []

    /// The line of the first property for which ``VCardProperty/isAssumedWindows1252`` is `true`.
    public var firstAssumedLine: Int? { properties.first(where: \.isAssumedWindows1252)?.line }

    /// Creates a card without properties.
    public init(line: Int) {
        self.line = line
    }
}

/// One property of a card: `group.NAME;PARAMETER=value:value`.
public struct VCardProperty: Sendable {
    /// A parameter, such as `TYPE=HOME,PREF`.
    public struct Parameter: Sendable {
        /// The name in upper case; "TYPE" for a bare value of version 2.1.
        public var name: String
        /// The values, unquoted and unescaped.
        public var values: [String]

        package init(name: String, values: [String]) {
            self.name = name
            self.values = values
        }
    }

    /// The group, such as "item1" of "item1.TEL"; empty if there is none.
    public var group = ""
    /// The name in upper case.
    public var name: String
    /// The parameters, in order of appearance.
    public var parameters: [Parameter] = []
    /// The unfolded and decoded value, with its backslash escapes.
    public var value: String
    /// Indicates that the card has version 2.1, which has fewer escapes.
    public internal(set) var isVersion21 = false
    /// Indicates that the line is not valid UTF-8, names no other character set and was read as Windows-1252.
    public internal(set) var isAssumedWindows1252 = false
    /// The line where the property begins, from 1.
    public var line: Int

    /// Returns all values of a parameter, which may occur more than once.
    public func values(of parameter: String) -> [String] {
        parameters.filter { $0.name == parameter }.flatMap(\.values)
    }

    /// The types in lower case ("home", "cell", "pref"). Custom types keep their case: "x-Beach house".
    public var types: [String] {
        var types: [String] = []
        for parameter in parameters where parameter.name == "TYPE" {
            for value in parameter.values {
                // Evolution writes TYPE="WORK,VOICE".
                for word in value.split(separator: ",") {
                    let lowercased = word.lowercased()
                    types.append(lowercased.hasPrefix("x-") ? "x-" + word.dropFirst(2) : lowercased)
                }
            }
        }
        return types
    }

    /// Indicates that the card marks the property as preferred: `TYPE=PREF`, or `PREF=1` in version 4.
    public var isPreferred: Bool {
        types.contains("pref") || values(of: "PREF").first == "1"
    }
}

// MARK: - Escaped text

extension VCardProperty {
    /// The value as a single unescaped text.
    public var text: String { VCardText.unescaped(value[...], isVersion21: isVersion21) }

    /// The components of a structured value such as N or ADR. A list within a component is joined by spaces.
    public var components: [String] {
        VCardText.split(value, at: ";").map { part in
            guard !isVersion21, part.contains(",") else {
                return VCardText.unescaped(part, isVersion21: isVersion21)
            }
            return VCardText.components(of: part, at: ",").filter { !$0.isEmpty }.joined(separator: " ")
        }
    }

    /// The elements of a list value such as NICKNAME.
    public var list: [String] {
        VCardText.split(value, at: ",").map { VCardText.unescaped($0, isVersion21: isVersion21) }
    }
}

/// The escapes of vCard text values (RFC 6350, section 3.4; RFC 2426, section 2.4.2; vCard 2.1, section 2.1.4.2).
public enum VCardText {
    /// Returns a text without its escapes. Sequences that are not escapes in this version are kept.
    public static func unescaped(_ text: some StringProtocol, isVersion21: Bool) -> String {
        guard text.utf8.contains(0x5C) else { return String(text) }
        return text.replacingEscapes(after: "\\") { scalar in
            // 2.1 encodes a line feed as quoted-printable, and C:\new is a folder.
            if scalar == "n" || scalar == "N" { return isVersion21 ? nil : "\n" }
            return escapable.contains(scalar) ? scalar : nil
        }
    }

    /// Splits a text at each separator that is not escaped.
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

    /// Returns the unescaped components of a structured value of version 3 or 4.
    package static func components(of text: some StringProtocol, at separator: Unicode.Scalar = ";") -> [String] {
        split(text, at: separator).map { unescaped($0, isVersion21: false) }
    }

    /// Returns components as a structured value for a vCard of version 3 or 4.
    package static func structured(_ components: [String]) -> String {
        components.map(escaped).joined(separator: ";")
    }

    /// Returns a text escaped for a vCard of version 3 or 4.
    public static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == 0x5C || $0 == 0x2C || $0 == 0x3B || $0 == 0x0A || $0 == 0x0D }) else {
            return text
        }
        return text.replacingScalars { scalar in
            switch scalar {
            case "\\": "\\\\"
            case ",": "\\,"
            case ";": "\\;"
            case "\n": "\\n"
            case "\r": ""
            default: nil
            }
        }
    }
}

extension String {
    /// Returns the text with some scalars replaced. Scalars for which `replacement` returns nil are kept.
    package func replacingScalars(_ replacement: (Unicode.Scalar) -> String?) -> String {
        var result = ""
        for scalar in unicodeScalars {
            if let text = replacement(scalar) { result += text } else { result.unicodeScalars.append(scalar) }
        }
        return result
    }
}

extension StringProtocol {
    /// Returns the text with each escape replaced. Escapes for which `replacement` returns nil are kept.
    func replacingEscapes(after mark: Unicode.Scalar, by replacement: (Unicode.Scalar) -> Unicode.Scalar?) -> String {
        var result = String.UnicodeScalarView()
        var isEscaped = false
        for scalar in unicodeScalars {
            if isEscaped {
                isEscaped = false
                let plain = replacement(scalar)
                if plain == nil { result.append(mark) }
                result.append(plain ?? scalar)
            } else if scalar == mark {
                isEscaped = true
            } else {
                result.append(scalar)
            }
        }
        if isEscaped { result.append(mark) }
        return String(result)
    }
}
