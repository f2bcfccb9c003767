public import ContactBook
public import Prospects
import Storage

extension Switchboard {
    /// Adds somebody who was met, or what is new about them.
    ///
    /// - Throws: `ProspectsError`, `StorageError`.
    public func addProspect(_ change: ProspectChange) throws -> Prospects.Added {
        var prospect = Prospect()
        change.apply(to: &prospect)
        return try prospects.add(prospect)
    }

    /// Changes a prospect.
    ///
    /// - Throws: `ProspectsError`, `StorageError`; nothing is changed then.
    public func editProspect(_ id: String, _ change: ProspectChange) throws -> Prospect {
        try prospects.edit(id) { change.apply(to: &$0) }
    }

    /// Makes contacts of prospects: all of them or, if one is unknown, none. The prospects stay.
    ///
    /// - Returns: the contacts in the order of the identifiers.
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
}

// MARK: - Ticking off and removing

extension Switchboard {
    /// Ticks people off as contacted, or takes that back: all of them or, if one is unknown, none.
    ///
    /// - Returns: the prospects in the order of the identifiers.
    /// - Throws: `ProspectsError`, `StorageError`.
    @discardableResult
    public func setContacted(_ ids: [String], _ isContacted: Bool = true) throws -> [Prospect] {
        try prospects.setContacted(ids, isContacted)
    }

    /// Removes people: all of them or, if one is unknown, none.
    ///
    /// - Throws: `ProspectsError`, `StorageError`.
    public func removeProspects(_ ids: [String]) throws {
        try prospects.remove(ids)
    }
}
