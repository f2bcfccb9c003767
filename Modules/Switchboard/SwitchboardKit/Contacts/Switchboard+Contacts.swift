public import SwitchboardContacts

extension Switchboard {
    /// Adds a contact.
    ///
    /// - Throws: ``SwitchboardError`` for an invalid field, `ContactBookError`, `StorageError`.
    public func addContact(_ change: ContactChange) throws -> Contact {
        var contact = Contact()
        try change.apply(to: &contact, region: settings.region)
        return try contacts.add(contact)
    }

    /// Changes a contact.
    ///
    /// - Throws: ``SwitchboardError`` for an invalid field, `ContactBookError`, `StorageError`.
    public func editContact(_ id: String, _ change: ContactChange) throws -> Contact {
        let region = settings.region
        return try contacts.edit(id) { contact in try change.apply(to: &contact, region: region) }
    }
}
