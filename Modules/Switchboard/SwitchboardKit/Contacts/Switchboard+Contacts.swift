public import SwitchboardContacts

extension Switchboard {
    /// Stores a new contact.
    ///
    /// - Throws: a ``Fault`` for what a field cannot be, `ContactBookError`, `StorageError`.
    public func addContact(_ change: ContactChange) throws -> Contact {
        var contact = Contact()
        try change.apply(to: &contact, region: settings.region)
        return try contacts.add(contact)
    }

    /// Changes a contact.
    ///
    /// - Throws: a ``Fault`` for what a field cannot be, `ContactBookError`, `StorageError`; nothing is changed then.
    public func editContact(_ id: String, _ change: ContactChange) throws -> Contact {
        let region = settings.region
        return try contacts.edit(id) { contact in try change.apply(to: &contact, region: region) }
    }
}
