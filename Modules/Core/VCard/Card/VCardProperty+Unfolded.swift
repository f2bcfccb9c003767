extension VCardProperty {
    /// The property as one unfolded line of version 3 or 4, without its group.
    ///
    /// Read again, it says the same: values of version 2.1 get the escapes that later versions have, and what a parameter cannot
    /// hold is written with carets (RFC 6868).
    public var unfolded: String {
        var line = name
        for parameter in parameters {
            line += ";" + parameter.name + "=" + parameter.values.map(VCardText.parameter).joined(separator: ",")
        }
        line += ":"
        var rest = value.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\n": line += "\\n"
            case "\r": continue
            case "\\" where isVersion21:
                // In 2.1 a backslash before a letter is a backslash, as in C:\new.
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

    /// The parameters as they stand in ``unfolded``, `;X-A=b;X-C=d`, but for some of them and those without a plain name.
    package func otherParameters(than names: Set<String>) -> String {
        var text = ""
        for parameter in parameters where !names.contains(parameter.name) && parameter.hasPlainName {
            text += ";" + parameter.name + "=" + parameter.values.map(VCardText.parameter).joined(separator: ",")
        }
        return text
    }

    /// Reads what ``unfolded`` wrote, or any other unfolded line.
    ///
    /// - Throws: ``MalformedInput`` if there is no name or colon, or if the value is not in its encoding.
    public init(unfolded text: String) throws {
        var line = LogicalLine()
        line.bytes = Array(text.utf8)
        self = try line.property(isVersion21: false)
    }

    /// The first value of a parameter, in small letters; empty if it is not there.
    package func word(of parameter: String) -> String { values(of: parameter).first?.lowercased() ?? "" }
}

extension VCardProperty.Parameter {
    fileprivate var hasPlainName: Bool {
        !name.isEmpty
            && name.utf8.allSatisfy {
                (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x5F
            }
    }
}

extension VCardText {
    /// What a backslash escapes in every version.
    static let escapable: Set<Unicode.Scalar> = ["\\", ";", ",", ":", "\""]

    /// The value of a parameter as it stands in a line, in quotation marks where it has to be.
    static func parameter(_ value: String) -> String {
        var text = ""
        var isQuoted = false
        for scalar in value.unicodeScalars {
            switch scalar {
            case "^": text += "^^"
            case "\n": text += "^n"
            case "\"": text += "^'"
            case "\r": continue
            case ",", ";", ":":
                isQuoted = true
                text.unicodeScalars.append(scalar)
            default: text.unicodeScalars.append(scalar)
            }
        }
        return isQuoted ? "\"" + text + "\"" : text
    }
}
