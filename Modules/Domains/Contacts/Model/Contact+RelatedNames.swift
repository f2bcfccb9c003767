import SwitchboardAlgorithms
import SwitchboardVCard

extension Contact {
    /// The names of related people in ``otherProperties``: relatives, assistants, managers.
    ///
    /// Related people without a name, such as a `RELATED` property with an identifier, are left out.
    public var relatedNames: [String] { otherProperties.compactMap(Contact.relatedName) }

    /// Replaces the names of related people. A name that is already present keeps its property, which may
    /// include the relation.
    ///
    /// - Throws: ``ContactBookError/tooLong(field:limit:)`` for a name of more than ``largestName`` bytes. The contact is then
    ///   unchanged. ``ContactBookError/tooMany(field:limit:)`` for more than ``largestList`` names.
    public mutating func setRelatedNames(_ names: [String]) throws(ContactBookError) {
        let names = names.map(\.trimmingWhitespace).filter { !$0.isEmpty }
        try Contact.checkCount(names.count, of: "related name")
        for name in names { try Contact.checkSize(of: name, in: "related name") }
        guard names != relatedNames else { return }
        var known: [String: String] = [:]
        var others: [String] = []
        for line in otherProperties {
            guard let name = Contact.relatedName(in: line) else {
                others.append(line)
                continue
            }
            known[name] = known[name] ?? line
        }
        otherProperties = others + names.uniqued.map { known[$0] ?? "RELATED;VALUE=text:" + VCardText.escaped($0) }
    }

    /// Returns the name of a related person in a property; nil for any other property.
    private static func relatedName(in line: String) -> String? {
        let name = line.utf8.prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: ";") }
        let nameInGroup = Substring(name).split(separator: ".").last?.uppercased() ?? ""
        guard relations.contains(nameInGroup), let property = try? VCardProperty(unfolded: line) else { return nil }
        let text: String
        switch property.name {
        case "RELATED":
            // The default type of the value is a URI.
            let isText = property.values(of: "VALUE").contains { $0.lowercased() == "text" }
            text = isText || !property.value.contains(":") ? property.text : ""
        case "X-ANDROID-CUSTOM":
            let components = property.components
            text = components.first == "vnd.android.cursor.item/relation" ? components.dropFirst().first ?? "" : ""
        default: text = property.text
        }
        return text.isEmpty ? nil : text
    }

    /// The properties of Apple, Android, Evolution and KDE, and of RFC 6350.
    private static let relations: Set = [
        "RELATED", "X-ABRELATEDNAMES", "X-ANDROID-CUSTOM", "X-SPOUSE", "X-MANAGER", "X-ASSISTANT",
        "X-EVOLUTION-SPOUSE", "X-EVOLUTION-MANAGER", "X-EVOLUTION-ASSISTANT", "X-KADDRESSBOOK-X-SPOUSESNAME",
        "X-KADDRESSBOOK-X-MANAGERSNAME", "X-KADDRESSBOOK-X-ASSISTANTSNAME",
    ]
}
