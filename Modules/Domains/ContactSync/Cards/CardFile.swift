import SwitchboardContacts
import SwitchboardVCard

/// A file with a single card, and the contact that the card describes.
struct CardFile: Sendable {
    let bytes: [UInt8]
    let card: VCard
    /// The contact of the card, without an identifier of the book.
    let contact: Contact

    /// Parses a file.
    ///
    /// - Throws: ``MalformedInput``, including for a file that does not have exactly one card.
    init(_ bytes: [UInt8], region: String?) throws {
        self.bytes = bytes
        card = try VCard(onlyOneIn: bytes)
        contact = try Contact(card, region: region).deduplicated
    }

    /// The card's UID as written in the file; empty without one.
    var identifier: String {
        card.properties.first { $0.name == "UID" }?.text.trimmingWhitespace ?? ""
    }

    var canonical: CanonicalCard { CanonicalCard(contact) }
}

extension Contact {
    func card(_ version: VCardWriter.Version, identifier: String) -> [UInt8] {
        var contact = self
        contact.sourceUID = identifier
        return Array(VCardWriter(version: version).card(of: contact).utf8)
    }

    /// Returns the contact that a canonical card describes, with the identifiers, times and calls of this contact.
    ///
    /// - Throws: ``MalformedInput`` if the card has no name.
    func replacingFacts(with canonical: CanonicalCard, region: String?) throws -> Contact {
        var lines = VCardLines()
        lines.add("BEGIN:VCARD")
        lines.add("VERSION:3.0")
        for (number, property) in canonical.properties.enumerated() {
            // A separate group ties each label to its property.
            for line in property.lines {
                let group = CanonicalCard.group + "."
                lines.add(line.hasPrefix(group) ? "group\(number)." + line.dropFirst(group.count) : line)
            }
        }
        lines.add("END:VCARD")
        var reader = try VCardReader(ByteStream(Array(lines.text.utf8)))
        guard let card = try reader.next() else { return self }
        var contact = try Contact(card, region: region).deduplicated.continuing(self)
        contact.sourceUID = sourceUID
        return contact
    }
}
