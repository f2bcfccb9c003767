import Foundation

/// The values of a person in a card or on a badge, as other programs write them.
package enum ContactValues {
    /// Returns a name in the order of its script: "Dr. Carmen Luz Diaz", "山田太郎", "김민준".
    package static func name(
        prefix: String = "", given: String, middle: String = "", family: String, suffix: String = ""
    ) -> String {
        let isASCII = given.utf8.allSatisfy { $0 < 0x80 } && family.utf8.allSatisfy { $0 < 0x80 }
        if !isASCII, NameScript.isEastAsian(family + given) {
            // Chinese, Japanese and Korean: the family name first, without a space.
            return joined(prefix, family + given, middle, suffix)
        }
        return joined(prefix, given, middle, family, suffix)
    }

    /// The parts that are not empty, with spaces between them.
    private static func joined(_ parts: String...) -> String {
        var name = ""
        for part in parts where !part.isEmpty {
            if !name.isEmpty { name += " " }
            name += part
        }
        return name
    }

    /// Returns the address of a `mailto:` URI (RFC 6068) without its headers, and any other text unchanged.
    package static func mailAddress(_ text: String) -> String {
        guard text.prefix(7).lowercased() == "mailto:" else { return text }
        let address = String(text.dropFirst(7).prefix { $0 != "?" })
        return (address.removingPercentEncoding ?? address).trimmingWhitespace
    }

    /// Returns `+1-212-555-0100 ext. 12` for `tel:+1-212-555-0100;ext=12` (RFC 3966), and any other text unchanged.
    package static func phoneNumber(_ text: String) -> String {
        guard let encoded = withoutTelephoneScheme(text) else { return text }
        let text = (encoded.removingPercentEncoding ?? encoded).trimmingWhitespace
        let sections = text.split(separator: ";").map(String.init)
        guard let number = sections.first?.trimmingWhitespace, sections.count > 1 else {
            return withoutTelephoneScheme(text) ?? text
        }
        var result = (withoutTelephoneScheme(number) ?? number).trimmingWhitespace
        for section in sections.dropFirst() {
            let parts = section.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { continue }
            switch parts[0].lowercased() {
            // A local number becomes international with its context as prefix.
            case "phone-context" where parts[1].hasPrefix("+") && !result.hasPrefix("+"): result = parts[1] + result
            case "ext": result += " ext. " + parts[1]
            default: continue
            }
        }
        return result.trimmingWhitespace
    }

    /// Returns the text without any leading `tel:`, which may be repeated; nil if there is none.
    private static func withoutTelephoneScheme(_ text: String) -> String? {
        var rest = text[...]
        while rest.prefix(4).lowercased() == "tel:" {
            rest = rest.dropFirst(4)
            rest = rest.drop(while: \.isWhitespace)
        }
        return rest.startIndex == text.startIndex ? nil : String(rest)
    }
}
