import GRDB
import SwitchboardStorage

extension ContactBook {
    /// Calls a closure with each group of contacts that are probably the same person, sorted by name and read in
    /// batches.
    ///
    /// Contacts are duplicates if they have
    ///
    /// - the same full name (folded, in any order) and the same organization, nickname, birthday, postal or web
    ///   address, or
    /// - the same e-mail address, or
    /// - the same number, with or without trunk prefix and country code.
    ///
    /// A number or address with more than three different names belongs to an organization or a family and only joins
    /// contacts of the same name. No group has more than three names, so a chain of shared facts cannot join an
    /// organization either.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of groups; nil for all.
    ///   - body: Receives each group. An error ends the iteration and is rethrown.
    /// - Complexity: O(*n* log *n*) for *n* contacts.
    public func forEachDuplicateGroup(limit: Int? = nil, _ body: (DuplicateGroup) throws -> Void) throws {
        try storage.read { db in
            let found = try DuplicateFinder.groups(in: db)
            let groups = found.prefix(max(limit ?? found.count, 0))
            try groups.forEachBatch(of: 100) { page in
                let contacts = try ContactFetching.contacts(page.flatMap(\.keys), withPhotos: false, in: db)
                for group in page {
                    let members = group.keys.compactMap { contacts[$0] }.sorted { $0.isBefore($1) }
                    try body(DuplicateGroup(contacts: members, facts: group.facts))
                }
            }
        }
    }

    /// Returns the groups of contacts that are probably the same person; see ``forEachDuplicateGroup(limit:_:)``.
    public func duplicates(limit: Int? = nil) throws -> [DuplicateGroup] {
        var groups: [DuplicateGroup] = []
        try forEachDuplicateGroup(limit: limit) { groups.append($0) }
        return groups
    }
}
