// Vendor data: parameters and components of a card that are meant for a program or repeat other components. They are
// preserved, but two cards that differ only in them are equal.

extension Contact {
    package var withoutVendorData: Contact {
        var contact = self
        for index in phones.indices { contact.phones[index].parameters = "" }
        for index in emails.indices { contact.emails[index].parameters = "" }
        for index in addresses.indices where !addresses[index].components.allSatisfy(\.isEmpty) {
            contact.addresses[index].extendedComponents = []
        }
        contact.photo?.parameters = ""
        (contact.name.secondFamily, contact.name.generation) = ("", "")
        return contact
    }

    /// Returns the contact with vendor data from another one, for equal values that have none of their own.
    package func adoptingVendorData(of other: Contact) -> Contact {
        var contact = self
        for index in phones.indices where phones[index].parameters.isEmpty {
            let same = other.phones.first { $0.number.text == phones[index].number.text }
            contact.phones[index].parameters = same?.parameters ?? ""
        }
        for index in emails.indices where emails[index].parameters.isEmpty {
            let same = other.emails.first { $0.address == emails[index].address }
            contact.emails[index].parameters = same?.parameters ?? ""
        }
        for index in addresses.indices where addresses[index].extendedComponents.isEmpty {
            let same = other.addresses.first { $0.components == addresses[index].components }
            contact.addresses[index].extendedComponents = same?.extendedComponents ?? []
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
