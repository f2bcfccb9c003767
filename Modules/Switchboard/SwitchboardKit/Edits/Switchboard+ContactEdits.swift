import SwitchboardContacts

extension Switchboard {
    /// Performs an edit of contacts; ignores others.
    func performContactEdit(_ edit: EditCommand) throws -> EditResult {
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
            return EditResult(message: "\(contact.displayName) removed", undo: .restoreContact(contact))
        case .setFavourite(let id, let isFavourite):
            let contact = try contacts.setFavourite(id, isFavourite)
            return edited(
                contact.displayName + (isFavourite ? " is a favourite" : " is no longer a favourite"), contact,
                undo: .setFavourite(id, !isFavourite))
        case .callContact(let id):
            let contact = try contacts.recordCall(id)
            return edited("call of \(contact.displayName) recorded", contact, undo: nil)
        default: return EditResult(message: "")
        }
    }

    private func restore(_ contact: Contact) throws -> EditResult {
        do {
            let present = try contacts.contact(contact.id)
            let restored = try contacts.edit(contact.id) { $0 = contact }
            return edited("\(restored.displayName) reverted", restored, undo: .restoreContact(present))
        } catch ContactBookError.notFound {
            let restored = try contacts.add(contact)
            return edited("\(restored.displayName) restored", restored, undo: .removeContact(restored.id))
        }
    }

    private func edited(_ message: String, _ contact: Contact, undo: EditCommand?) -> EditResult {
        EditResult(message: message, link: DeepLink(kind: .contact, id: contact.id), undo: undo)
    }
}
