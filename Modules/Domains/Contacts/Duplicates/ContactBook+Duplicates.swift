import GRDB
import SwitchboardStorage

extension ContactBook {
    /// Calls `body` with each group of contacts that are probably one person, by name, holding some hundred groups at a time.
    ///
    /// They are, as far as their facts tell, if they have
    ///
    /// - the same whole name (folded, in any order) and the same organisation, nickname, birthday, postal address or page, or
    /// - the same e-mail address, or
    /// - the same number, with trunk prefix, country code or neither.
    ///
    /// A number or address that contacts of more than three names have is that of a company or a family: of those, only the ones
    /// of the same name are joined. And no group gets more than three names, so that no chain of such facts joins a company either.
    ///
    /// - Parameters:
    ///   - limit: how many groups at most; nil for all.
    ///   - body: what is done with each; what it throws ends the reading.
    /// - Complexity: O(*n* log *n*) for *n* contacts.
    public func forEachDuplicateGroup(limit: Int? = nil, _ body: (DuplicateGroup) throws -> Void) throws {
        try storage.read { db in
            let found = try DuplicateFinding.groups(in: db)
            let groups = found.prefix(max(limit ?? found.count, 0))
            var start = 0
            while start < groups.count {
                let page = groups[start..<min(start + 100, groups.count)]
                let contacts = try ContactFetching.contacts(page.flatMap(\.keys), withPhotos: false, in: db)
                for group in page {
                    let members = group.keys.compactMap { contacts[$0] }.sorted { $0.isBefore($1) }
                    try body(DuplicateGroup(contacts: members, facts: group.facts))
                }
                start += page.count
            }
        }
    }

    /// The groups of contacts that are probably one person; see ``forEachDuplicateGroup(limit:_:)``.
    public func duplicates(limit: Int? = nil) throws -> [DuplicateGroup] {
        var groups: [DuplicateGroup] = []
        try forEachDuplicateGroup(limit: limit) { groups.append($0) }
        return groups
    }
}
