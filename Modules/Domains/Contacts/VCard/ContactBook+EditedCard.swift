import Foundation
import SwitchboardStorage
import SwitchboardVCard

/// A contact as a vCard for a text editor.
public struct EditableCard: Sendable {
    /// The contact that the card describes.
    fileprivate let contact: Contact
    /// The vCard, with one line per property and without the identifier and the photo.
    public let text: String
}

extension ContactBook {
    /// Returns a contact as a vCard that a person can edit. ``edit(_:with:)`` reads it.
    ///
    /// - Throws: ``ContactBookError/notFound(id:)``.
    public func editableCard(of id: String) throws -> EditableCard {
        let contact = try storage.read { db in try ContactFetching.contact(id, in: db).contact }
        var shown = contact
        (shown.photo, shown.modifiedAt) = (nil, nil)
        let card = VCardWriter(version: .version3).card(of: shown)
        let lines = card.replacing("\r\n ", with: "").split(separator: "\r\n").filter { !$0.hasPrefix("UID:") }
        return EditableCard(contact: contact, text: lines.joined(separator: "\n") + "\n")
    }

    /// Replaces the fields of a contact with the fields of its edited vCard. The identifier, the photo, the calls and
    /// the times stay.
    ///
    /// A changed `FN` with an unchanged `N` is split into the parts of the name, and vice versa.
    ///
    /// - Parameters:
    ///   - card: The card before it was edited.
    ///   - text: The edited card.
    /// - Returns: The stored contact.
    /// - Throws: `MalformedInput` with the line of a mistake, ``ContactBookError/changedSinceRead(id:)`` if the contact
    ///   has changed since the card was read, and the errors of ``edit(_:_:)``.
    @discardableResult
    public func edit(_ card: EditableCard, with text: String) throws -> Contact {
        let old = card.contact
        var new = try Contact(VCard(onlyOneIn: Array(text.utf8)), region: region).continuing(old)
        new.sourceUID = old.sourceUID
        new.photo = new.photo ?? old.photo
        if new.fullName == old.displayName {
            new.formattedName = new.name == old.name ? old.formattedName : ""
        } else if new.name == old.name, old.formattedName.isEmpty, !new.formattedName.isEmpty {
            new.setWholeName(new.formattedName)
        }
        // The writer omits lines that are not valid properties.
        new.otherProperties += old.otherProperties.filter { (try? VCardProperty(unfolded: $0)) == nil }
        return try edit(old.id) { contact in
            guard contact.modifiedAt == old.modifiedAt else { throw ContactBookError.changedSinceRead(id: old.id) }
            (new.callCount, new.lastCalledAt) = (contact.callCount, contact.lastCalledAt)
            contact = new
        }
    }
}

extension VCard {
    /// Parses a text with exactly one card.
    ///
    /// - Throws: ``MalformedInput``.
    package init(onlyOneIn bytes: [UInt8]) throws {
        var reader = try VCardReader(ByteStream(bytes))
        guard let card = try reader.next() else { throw MalformedInput(line: 1, reason: "the file has no card") }
        if let second = try reader.next() {
            throw MalformedInput(
                line: second.line, reason: "a second card begins here; store one card per file, or import the file")
        }
        self = card
    }
}

extension Contact {
    /// Returns this contact, as read from a card, with the identifier, times and calls of the stored contact.
    package func continuing(_ old: Contact) -> Contact {
        var contact = self
        contact.id = old.id
        contact.callCount = old.callCount
        contact.lastCalledAt = old.lastCalledAt
        contact.createdAt = old.createdAt
        contact.modifiedAt = old.modifiedAt
        if contact.sourceUID.isEmpty { contact.sourceUID = old.sourceUID }
        // A known number keeps the result of its earlier parse with a region.
        for index in contact.phones.indices {
            let text = contact.phones[index].number.text
            if let known = old.phones.first(where: { $0.number.text == text }) {
                contact.phones[index].number = known.number
            }
        }
        return contact
    }
}
