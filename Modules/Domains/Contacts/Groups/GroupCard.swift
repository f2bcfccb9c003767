import SwitchboardVCard

/// A group card of version 4.0 (`KIND:group`) or of Apple devices (`X-ADDRESSBOOKSERVER-KIND`).
struct GroupCard: Sendable {
    let name: String
    /// The members: UIDs without "urn:uuid:", or lowercase "mailto:" addresses.
    private(set) var members: [String] = []

    /// Parses a card; nil unless it is a group card.
    init?(_ card: VCard) throws(MalformedInput) {
        let isGroup = card.properties.contains {
            ($0.name == "KIND" || $0.name == "X-ADDRESSBOOKSERVER-KIND")
                && $0.value.trimmingWhitespace.lowercased() == "group"
        }
        guard isGroup else { return nil }
        var names: [String] = []
        for property in card.properties {
            let text = property.text.trimmingWhitespace
            switch property.name {
            case "FN": names.insert(text, at: 0)
            case "N":
                names.append(
                    property.components.map(\.trimmingWhitespace).filter { !$0.isEmpty }.joined(separator: " "))
            case "MEMBER", "X-ADDRESSBOOKSERVER-MEMBER":
                let member = text.lowercased().hasPrefix("mailto:") ? text.lowercased() : CardIdentifier.plain(text)
                if !member.isEmpty { members.append(member) }
            default: continue
            }
        }
        guard let name = names.first(where: { !$0.isEmpty }) else {
            throw MalformedInput(line: card.line, reason: "the group has no name; add a property FN")
        }
        self.name = name
        guard name.utf8.count <= Contact.largestName,
            members.allSatisfy({ $0.utf8.count <= Contact.largestName })
        else {
            throw MalformedInput(
                line: card.line,
                reason: ContactBookError.tooLong(field: "name or member", limit: Contact.largestName).message)
        }
    }
}

enum ImportedRecord: Sendable {
    /// - Parameters:
    ///   - line: The line of the card or row.
    ///   - assumedLine: The first line that was read as Windows-1252, if any.
    ///   - unread: The unmapped columns that have a value.
    case contact(PreparedContact, line: Int, assumedLine: Int?, unread: [String] = [])
    case group(GroupCard)
}
