package import Foundation
import SwitchboardAlgorithms
package import SwitchboardJSON

/// A vCard as a list of uninterpreted properties.
public struct VCard: Sendable {
    /// "2.1", "3.0" or "4.0"; "3.0" if the card has no VERSION.
    public var version = "3.0"
    /// The line of BEGIN:VCARD, from 1.
    public var line: Int
    /// The properties between BEGIN and END, except VERSION.
    public var properties: [VCardProperty] = []
    /// The lines that were not read as they are, each with the reason.
    public internal(set) var notes: [MalformedInput] = []

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
    /// The last line of the property, from 1; 0 for a property that was not read from a card.
    package internal(set) var lastLine = 0
    /// The repair of a value that is invalid in its encoding; nil for a valid one.
    package internal(set) var problem: String?

    /// The name of a property whose text is a line that is not a property.
    package static let unreadLine = "X-UNREAD-LINE"

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

extension VCardProperty {
    /// The properties whose values say nothing about a person.
    private static let unsearched: Set<String> = [
        "CLIENTPIDMAP", "KIND", "PRODID", "REV", "X-ABADR", "X-ABLABEL", "X-ABSHOWAS",
    ]

    /// Returns the value of an unfolded line of version 3 or 4 for searching; empty for binary and technical values.
    ///
    /// Spaces replace what precedes the value, and the escapes, so that ranges of the result are ranges of the line.
    package static func searchedValue(of line: String) -> String {
        var isQuoted = false
        let scalars = line.unicodeScalars
        let colon = scalars.firstIndex { scalar in
            if scalar == "\"" { isQuoted.toggle() }
            return scalar == ":" && !isQuoted
        }
        guard let colon else { return "" }
        let head = line[..<colon].uppercased()
        let value = scalars[scalars.index(after: colon)...]
        let name = head.prefix { $0 != ";" }.split(separator: ".").last.map(String.init) ?? ""
        let isTechnical =
            [";ENCODING=B", ";BASE64"].contains(where: head.contains)
            || [":data:", ":urn:"].contains(where: line[colon...].hasPrefix) || unsearched.contains(name)
        if isTechnical { return "" }
        var result = String.UnicodeScalarView(
            repeatElement(" ", count: scalars.distance(from: scalars.startIndex, to: value.startIndex)))
        var isEscaped = false
        for scalar in value {
            if isEscaped {
                result.append(scalar == "n" || scalar == "N" ? " " : scalar)
                isEscaped = false
            } else {
                isEscaped = scalar == "\\"
                result.append(isEscaped ? " " : scalar)
            }
        }
        return String(result)
    }
}

// MARK: - Escaped text

extension VCardProperty {
    /// The value as a single unescaped text.
    public var text: String { VCardText.unescaped(value[...], isVersion21: isVersion21) }

    /// The components of a structured value such as N or ADR.
    ///
    /// A comma within a component stays, whether it is escaped or not: many programs do not escape it.
    public var components: [String] {
        VCardText.split(value, at: ";").map { VCardText.unescaped($0, isVersion21: isVersion21) }
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

extension VCardProperty {
    /// The property as one unfolded content line of version 3 or 4, without its group.
    ///
    /// The line parses back to an equal property: values of version 2.1 are escaped as in later versions, and parameter
    /// values are encoded with carets (RFC 6868).
    public var unfolded: String {
        var line = name + parameters.map(\.encoded).joined() + ":"
        var rest = value.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\n": line += "\\n"
            case "\r": continue
            case "\\" where isVersion21:
                // In 2.1 a backslash before a letter is literal, as in C:\new.
                if let next = rest.first, VCardText.escapable.contains(next) {
                    rest.removeFirst()
                    line += "\\"
                    line.unicodeScalars.append(next)
                } else {
                    line += "\\\\"
                }
            default: line.unicodeScalars.append(scalar)
            }
        }
        return line
    }

    /// Returns the parameters as in ``unfolded`` (`;X-A=b;X-C=d`), without the named ones and those with an invalid
    /// name.
    package func otherParameters(than names: Set<String>) -> String {
        parameters.filter { !names.contains($0.name) && VCardText.isName($0.name) }.map(\.encoded).joined()
    }

    /// Parses an unfolded content line.
    ///
    /// - Throws: `MalformedInput` if the name or the colon is missing.
    public init(unfolded text: String) throws {
        var line = ContentLine()
        line.bytes = Array(text.utf8)
        line.dropZeros()
        self = try line.property(isVersion21: false)
    }

    /// Returns the first value of a parameter in lower case; empty if the parameter is missing.
    package func word(of parameter: String) -> String { values(of: parameter).first?.lowercased() ?? "" }
}

extension VCardProperty.Parameter {
    /// The parameter in a content line: `;TYPE=home,"a,b"`.
    package var encoded: String { ";" + name + "=" + values.map(VCardText.parameter).joined(separator: ",") }
}

extension VCardText {
    /// Returns `true` if a text in upper case can be the name of a property or parameter.
    package static func isName(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy {
                (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x5F
            }
    }

    /// Returns `true` for a digit of base64 or its padding.
    package static func isBase64(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x41...0x5A, 0x61...0x7A, 0x30...0x39, 0x2B, 0x2F, 0x3D: true
        default: false
        }
    }

    /// The characters that a backslash escapes in every version.
    static let escapable: Set<Unicode.Scalar> = ["\\", ";", ",", ":", "\""]

    /// Returns the encoded value of a parameter, quoted if necessary.
    static func parameter(_ value: String) -> String {
        let isQuoted = value.unicodeScalars.contains { ",;:".unicodeScalars.contains($0) }
        let text = value.replacingScalars { scalar in
            switch scalar {
            case "^": "^^"
            case "\n": "^n"
            case "\"": "^'"
            case "\r": ""
            default: nil
            }
        }
        return isQuoted ? "\"" + text + "\"" : text
    }
}

/// The script of a name, which determines the order of its components.
package enum NameScript {
    /// Returns `true` for a text of Han, kana and hangul only.
    package static func isEastAsian(_ text: String) -> Bool {
        let letters = text.unicodeScalars.lazy.filter { $0 != " " }
        return !letters.isEmpty && letters.allSatisfy { isHan($0) || isKana($0) || isHangul($0) }
    }

    package static func isHan(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x3005, 0x3007, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x323AF: true
        default: false
        }
    }

    package static func isKana(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x3041...0x30FA, 0x30FC...0x30FF, 0x31F0...0x31FF, 0xFF66...0xFF9F: true
        default: false
        }
    }

    package static func isHangul(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xAC00...0xD7A3, 0x1100...0x11FF, 0x3131...0x318E: true
        default: false
        }
    }
}

extension Date {
    /// The time in UTC in the basic format of vCard and iCalendar: `20261121T080000Z`.
    package var basicISO8601: String {
        formatted(ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted))
    }
}

// MARK: - JSON of people

extension JSONMembers {
    /// Adds a time in ISO 8601, if known.
    package mutating func addTime(_ name: String, _ time: Date?) throws {
        if let time { try add(name, time.iso8601) }
    }
}

extension KeyedDecodingContainer {
    /// Decodes a string; a missing one is empty.
    package func text(_ key: Key) throws -> String { try decodeIfPresent(String.self, forKey: key) ?? "" }

    /// Decodes a list; a missing one is empty.
    package func list<Element: Decodable>(_ key: Key) throws -> [Element] {
        try decodeIfPresent([Element].self, forKey: key) ?? []
    }

    /// Decodes a time in ISO 8601, if present.
    package func time(_ key: Key) throws -> Date? {
        guard let text = try decodeIfPresent(String.self, forKey: key) else { return nil }
        if let time = try? Date(text, strategy: .iso8601) { return time }
        throw DecodingError.dataCorruptedError(
            forKey: key, in: self, debugDescription: "cannot read the time “\(text)”; use ISO 8601")
    }
}
