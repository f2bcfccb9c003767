public import SwitchboardContacts
public import SwitchboardProspects
import SwitchboardReminders
import SwitchboardStorage

extension Switchboard {
    /// Adds a prospect, or updates one met before.
    ///
    /// - Throws: `ProspectsError`, `StorageError`.
    public func addProspect(_ change: ProspectChange) throws -> Prospects.Added {
        var prospect = Prospect()
        change.apply(to: &prospect)
        let added = try prospects.add(prospect)
        if added.wasKnown { try retitleReminder(of: added.prospect) }
        return added
    }

    /// Changes a prospect.
    ///
    /// - Throws: `ProspectsError`, `StorageError`.
    public func editProspect(_ id: String, _ change: ProspectChange) throws -> Prospect {
        let prospect = try prospects.edit(id) { change.apply(to: &$0) }
        try retitleReminder(of: prospect)
        return prospect
    }

    /// Creates contacts from prospects, which are kept. Does nothing if one of them is unknown.
    ///
    /// - Returns: The contacts, in the order of the identifiers.
    /// - Throws: `ProspectsError`, `StorageError`.
    public func addToContacts(_ ids: [String]) throws -> [Contact] {
        let (prospects, contacts, region) = (try prospects, try contacts, settings.region)
        return try storage.write { _ in
            try ids.map { id in
                let prospect = try prospects.prospect(id)
                var contact = Contact()
                contact.setWholeName(prospect.name)
                contact.organization = prospect.organization
                if !prospect.email.isEmpty { contact.emails = [Email(address: prospect.email)] }
                if !prospect.phone.isEmpty {
                    contact.phones = [Phone(number: PhoneNumber(prospect.phone, region: region))]
                }
                let meeting = prospect.met.isEmpty ? "" : "Met: " + prospect.met
                contact.note = [prospect.note, meeting].filter { !$0.isEmpty }.joined(separator: "\n")
                return try contacts.add(contact)
            }
        }
    }

    /// Marks prospects as contacted, which cancels their reminders, or as uncontacted, which does not restore them.
    /// Does nothing if one of them is unknown.
    ///
    /// - Returns: The prospects, in the order of the identifiers.
    /// - Throws: `ProspectsError`, `StorageError`.
    @discardableResult
    public func setContacted(_ ids: [String], to isContacted: Bool = true) throws -> [Prospect] {
        let (prospects, reminders) = (try prospects, try reminders)
        return try storage.write { _ in
            let changed = try prospects.setContacted(ids, to: isContacted)
            if isContacted { try reminders.cancel(of: ids) }
            return changed
        }
    }

    /// Removes prospects and cancels their reminders. Does nothing if one of them is unknown.
    ///
    /// - Throws: `ProspectsError`, `StorageError`.
    public func removeProspects(_ ids: [String]) throws {
        let (prospects, reminders) = (try prospects, try reminders)
        try storage.write { _ in
            try prospects.remove(ids)
            try reminders.cancel(of: ids)
        }
    }
}
