import SwitchboardVCard

/// A card that names a group and who is in it, as iPhones and Macs (`X-ADDRESSBOOKSERVER-KIND`) and version 4 (`KIND:group`) write it.
struct GroupCard: Sendable {
    /// The name of the group.
    let name: String
    /// The identifiers of its members' cards, without "urn:uuid:"; or "mailto:" and their e-mail addresses, in small letters.
    private(set) var members: [String] = []

    /// Nil if the card is that of a contact.
    ///
    /// - Throws: ``MalformedInput`` if the group has no name.
    init?(_ card: VCard) throws {
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
                names.append(property.components.map(\.trimmingWhitespace).filter { !$0.isEmpty }.joined(separator: " "))
            case "MEMBER", "X-ADDRESSBOOKSERVER-MEMBER":
                let member = text.lowercased().hasPrefix("mailto:") ? text.lowercased() : CardIdentifier.plain(text)
                if !member.isEmpty { members.append(member) }
            default: continue
            }
        }
        guard let name = names.first(where: { !$0.isEmpty }) else {
            throw MalformedInput(line: card.line, reason: "the card is that of a group, which has no name")
        }
        self.name = name
    }

    /// The e-mail address that a member is named by.
    static func address(ofMember member: String) -> String? {
        member.hasPrefix("mailto:") ? String(member.dropFirst(7)) : nil
    }
}

/// What a card or a row of a file is.
enum ImportedRecord: Sendable {
    /// - Parameter assumedLine: the line that was read as Windows-1252, if one was.
    case contact(PreparedContact, assumedLine: Int?)
    case group(GroupCard)
}
