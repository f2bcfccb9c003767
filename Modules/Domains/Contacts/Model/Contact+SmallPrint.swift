// The small print of cards: what they say of a number, a photograph or a name for some program's own use. It is kept and written
// back, and it is no fact about the person: two cards that differ in it alone say the same.

extension Contact {
    /// The contact without its small print.
    package var withoutSmallPrint: Contact {
        var contact = self
        for index in phones.indices { contact.phones[index].parameters = "" }
        for index in emails.indices { contact.emails[index].parameters = "" }
        for index in addresses.indices where !addresses[index].parts.allSatisfy(\.isEmpty) {
            contact.addresses[index].finerParts = []
        }
        contact.photo?.parameters = ""
        (contact.name.secondFamily, contact.name.generation) = ("", "")
        return contact
    }

    /// The contact with the small print of another one, wherever it says the same and has none of its own.
    package func takingSmallPrint(of other: Contact) -> Contact {
        var contact = self
        for index in phones.indices where phones[index].parameters.isEmpty {
            let same = other.phones.first { $0.number.text == phones[index].number.text }
            contact.phones[index].parameters = same?.parameters ?? ""
        }
        for index in emails.indices where emails[index].parameters.isEmpty {
            let same = other.emails.first { $0.address == emails[index].address }
            contact.emails[index].parameters = same?.parameters ?? ""
        }
        for index in addresses.indices where addresses[index].finerParts.isEmpty {
            let same = other.addresses.first { $0.parts == addresses[index].parts }
            contact.addresses[index].finerParts = same?.finerParts ?? []
        }
        if let photo, photo.parameters.isEmpty, let same = other.photo, same.data == photo.data {
            contact.photo?.parameters = same.parameters
        }
        if name.family == other.name.family, name.secondFamily.isEmpty {
            contact.name.secondFamily = other.name.secondFamily
        }
        if name.suffix == other.name.suffix, name.generation.isEmpty { contact.name.generation = other.name.generation }
        return contact
    }
}
