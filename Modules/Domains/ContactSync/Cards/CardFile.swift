import SwitchboardContacts
import SwitchboardVCard

/// The one card of a file and the contact that it describes.
struct CardFile: Sendable {
    let bytes: [UInt8]
    let card: VCard
    /// What the card says; without an identifier.
    let contact: Contact

    /// Reads the card of a file.
    ///
    /// - Throws: ``MalformedInput``, also where there is none or more than one.
    init(_ bytes: [UInt8], region: String?) throws {
        self.bytes = bytes
        var reader = try VCardReader(ByteStream(bytes))
        guard let card = try reader.next() else { throw MalformedInput(line: 1, reason: "there is no card in it") }
        if let second = try reader.next() {
            throw MalformedInput(
                line: second.line,
                reason: "a second card begins here, where a file has one; 'contacts import' takes in such files")
        }
        self.card = card
        contact = try Contact(card, region: region).withoutRepeats
    }

    /// The identifier of the card, as it stands there; empty without one.
    var identifier: String {
        card.properties.first { $0.name == "UID" }?.text.trimmingWhitespace ?? ""
    }

    var statements: CardStatements { CardStatements(contact) }
}

extension Contact {
    /// A new contact's card, as it is written into a folder.
    func card(_ version: VCardWriter.Version, identifier: String) -> [UInt8] {
        var contact = self
        contact.sourceUID = identifier
        return Array(VCardWriter(version: version).card(of: contact).utf8)
    }

    /// The contact that a set of statements describes, with the identifiers, the times and the calls of this one.
    ///
    /// - Throws: ``MalformedInput`` if they name nobody.
    func saying(_ statements: CardStatements, region: String?) throws -> Contact {
        var lines = VCardLines()
        lines.add("BEGIN:VCARD")
        lines.add("VERSION:3.0")
        for (number, statement) in statements.all.enumerated() {
            // A label belongs to its own line alone.
            for line in statement.lines {
                let own = CardStatements.ownGroup + "."
                lines.add(line.hasPrefix(own) ? "group\(number)." + line.dropFirst(own.count) : line)
            }
        }
        lines.add("END:VCARD")
        var reader = try VCardReader(ByteStream(Array(lines.text.utf8)))
        guard let card = try reader.next() else { return self }
        var contact = try Contact(card, region: region).withoutRepeats.continuing(self)
        contact.sourceUID = sourceUID
        return contact
    }

    /// What a file says now of a contact that is there, with that one's identifier, times and calls.
    func continuing(_ old: Contact) -> Contact {
        var contact = self
        contact.id = old.id
        contact.callCount = old.callCount
        contact.lastCalledAt = old.lastCalledAt
        contact.createdAt = old.createdAt
        contact.modifiedAt = old.modifiedAt
        if contact.sourceUID.isEmpty { contact.sourceUID = old.sourceUID }
        // A number that was read with a region is not read again without one.
        for index in contact.phones.indices {
            let text = contact.phones[index].number.text
            if let known = old.phones.first(where: { $0.number.text == text }) {
                contact.phones[index].number = known.number
            }
        }
        return contact
    }
}
