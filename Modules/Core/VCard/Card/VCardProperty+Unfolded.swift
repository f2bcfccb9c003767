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
    /// - Throws: ``MalformedInput`` if the name or the colon is missing, or if the value cannot be decoded.
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
    fileprivate var encoded: String { ";" + name + "=" + values.map(VCardText.parameter).joined(separator: ",") }
}

extension VCardText {
    /// Returns `true` if a text in upper case can be the name of a property or parameter.
    static func isName(_ text: String) -> Bool {
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
