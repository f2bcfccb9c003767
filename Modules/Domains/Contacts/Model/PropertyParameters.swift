import SwitchboardVCard

/// The parameters of the vCard properties of a name and of text fields: `;LANGUAGE=en` of `TITLE`.
///
/// Numbers and addresses have parameters of their own.
struct PropertyParameters: Hashable, Sendable {
    private struct Entry: Hashable {
        let property: String
        var parameters: String
    }

    /// Sorted by property.
    private var entries: [Entry] = []

    var isEmpty: Bool { entries.isEmpty }
    /// The names of the properties with parameters, sorted.
    var properties: [String] { entries.map(\.property) }
    var values: [String] { entries.map(\.parameters) }

    /// The parameters of a property, as in a content line; nil if there are none.
    subscript(property: String) -> String? {
        get { entries.first { $0.property == property }?.parameters }
        set {
            entries.removeAll { $0.property == property }
            guard let newValue, !newValue.isEmpty else { return }
            let position = entries.firstIndex { $0.property > property } ?? entries.endIndex
            entries.insert(Entry(property: property, parameters: newValue), at: position)
        }
    }

    subscript(field: ContactTextField) -> String? {
        get { field.ownProperty.flatMap { self[$0] } }
        set { if let property = field.ownProperty { self[property] = newValue } }
    }
}

// MARK: - Groups

/// The parameter that keeps the group of properties that belong together: `item1.ADR` and `item1.X-ABADR`.
enum GroupParameter {
    static let name = "X-GROUP"

    /// Returns the group of a property; empty if it has none that can be written.
    static func group(of property: VCardProperty) -> String {
        let group = property.values(of: name).first ?? ""
        return VCardText.isName(group.uppercased()) ? group : ""
    }

    /// Returns parameters without the group, and the group; empty if there is none.
    static func separated(from parameters: String) -> (others: String, group: String) {
        guard isIn(parameters), let property = try? VCardProperty(unfolded: "X" + parameters + ":") else {
            return (parameters, "")
        }
        return (property.otherParameters(than: [name]), group(of: property))
    }

    /// Returns an unfolded content line without its group.
    static func removed(from line: String) -> String {
        guard isIn(line), var property = try? VCardProperty(unfolded: line) else { return line }
        property.parameters.removeAll { $0.name == name }
        return property.unfolded
    }

    /// Returns `true` if parameters or a content line may have the group, which precedes any colon.
    static func isIn(_ text: String) -> Bool {
        let start = text.utf8.prefix { $0 != UInt8(ascii: ":") }
        // Most have no parameters, and searching for a text takes microseconds.
        return start.contains(UInt8(ascii: ";")) && Substring(start).contains(";" + name + "=")
    }
}

extension Contact {
    /// Returns the contact with new names for the groups that another contact uses for other properties, before both
    /// are merged.
    func withGroups(apartFrom other: Contact) -> Contact {
        let (mine, theirs) = (groupLines, other.groupLines)
        var renamed: [String: String] = [:]
        var used = Set(mine.keys).union(theirs.keys)
        for (group, lines) in mine.sorted(by: { $0.key < $1.key }) where !(theirs[group] ?? lines).isSuperset(of: lines)
        {
            // The same properties in another group may come from an earlier merge.
            if let same = theirs.filter({ $0.value.isSuperset(of: lines) }).keys.min() {
                renamed[group] = same
                continue
            }
            var number = 1
            while !used.insert("item\(number)").inserted { number += 1 }
            renamed[group] = "item\(number)"
        }
        guard !renamed.isEmpty else { return self }
        func rename(_ parameters: String) -> String {
            let (others, group) = GroupParameter.separated(from: parameters)
            guard let new = renamed[group] else { return parameters }
            return VCardProperty.Parameter(name: GroupParameter.name, values: [new]).encoded + others
        }
        var contact = self
        for index in phones.indices { contact.phones[index].parameters = rename(phones[index].parameters) }
        for index in emails.indices { contact.emails[index].parameters = rename(emails[index].parameters) }
        for index in addresses.indices { contact.addresses[index].parameters = rename(addresses[index].parameters) }
        for index in urls.indices { contact.urls[index].parameters = rename(urls[index].parameters) }
        for property in textParameters.properties {
            contact.textParameters[property] = textParameters[property].map(rename)
        }
        for index in otherProperties.indices {
            guard GroupParameter.isIn(otherProperties[index]),
                var property = try? VCardProperty(unfolded: otherProperties[index])
            else { continue }
            guard let new = renamed[GroupParameter.group(of: property)] else { continue }
            property.parameters.removeAll { $0.name == GroupParameter.name }
            property.parameters.insert(.init(name: GroupParameter.name, values: [new]), at: 0)
            contact.otherProperties[index] = property.unfolded
        }
        return contact
    }

    /// The values of the properties in each group.
    private var groupLines: [String: Set<String>] {
        var lines: [String: Set<String>] = [:]
        func add(_ value: String, _ parameters: String) {
            let group = GroupParameter.separated(from: parameters).group
            if !group.isEmpty { lines[group, default: []].insert(value) }
        }
        for phone in phones { add(phone.number.text, phone.parameters) }
        for email in emails { add(email.address, email.parameters) }
        for address in addresses { add(VCardText.structured(address.components), address.parameters) }
        for url in urls { add(url.url, url.parameters) }
        for property in textParameters.properties { add(property, textParameters[property] ?? "") }
        for line in otherProperties where GroupParameter.isIn(line) {
            let group = (try? VCardProperty(unfolded: line)).map(GroupParameter.group) ?? ""
            if !group.isEmpty { lines[group, default: []].insert(GroupParameter.removed(from: line)) }
        }
        return lines
    }
}
