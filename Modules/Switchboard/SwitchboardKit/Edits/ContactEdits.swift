import SwitchboardContacts

extension Switchboard {
    /// The edits of contacts; others do nothing.
    func performOnContact(_ edit: Edit) throws -> Edited {
        switch edit {
        case .addContact(let change):
            let contact = try addContact(change)
            return edited("\(contact.displayName) added", contact, undo: .removeContact(contact.id))
        case .editContact(let id, let change):
            let old = try contacts.contact(id)
            let contact = try editContact(id, change)
            return edited("\(contact.displayName) changed", contact, undo: .restoreContact(old))
        case .restoreContact(let contact): return try restore(contact)
        case .removeContact(let id):
            let contact = try contacts.contact(id)
            try contacts.remove([id])
            return Edited(message: "\(contact.displayName) removed", undo: .restoreContact(contact))
        case .setFavourite(let id, let isFavourite):
            let contact = try contacts.setFavourite(id, isFavourite)
            return edited(
                contact.displayName + (isFavourite ? " is a favourite" : " is no favourite any more"), contact,
                undo: .setFavourite(id, !isFavourite))
        case .callContact(let id):
            let contact = try contacts.recordCall(id)
            return edited("call of \(contact.displayName) recorded", contact, undo: nil)
        default: return Edited(message: "")
        }
    }

    private func restore(_ contact: Contact) throws -> Edited {
        do {
            let present = try contacts.contact(contact.id)
            let restored = try contacts.edit(contact.id) { $0 = contact }
            return edited("\(restored.displayName) is as before", restored, undo: .restoreContact(present))
        } catch ContactBookError.notFound {
            let restored = try contacts.add(contact)
            return edited("\(restored.displayName) is back", restored, undo: .removeContact(restored.id))
        }
    }

    private func edited(_ message: String, _ contact: Contact, undo: Edit?) -> Edited {
        Edited(message: message, place: DeepLink(kind: .contact, id: contact.id), undo: undo)
    }
}
