package import Foundation
package import GRDB
import SwitchboardAlgorithms
import SwitchboardStorage
package import SwitchboardVCard

/// A group card of version 4.0 (`KIND:group`) or of Apple devices (`X-ADDRESSBOOKSERVER-KIND`).
package struct GroupCard: Sendable {
    package let name: String
    /// The members: UIDs without "urn:uuid:", or lowercase "mailto:" addresses.
    package private(set) var members: [String] = []

    /// Parses a card; nil unless it is a group card.
    package init?(_ card: VCard) throws(MalformedInput) {
        guard card.isGroup else { return nil }
        var names: [String] = []
        for property in card.properties {
            let text = property.text.trimmingWhitespace
            switch property.name {
            case "FN": names.insert(text, at: 0)
            case "N":
                names.append(
                    property.components.map(\.trimmingWhitespace).filter { !$0.isEmpty }.joined(separator: " "))
            default:
                if let member = GroupCard.member(property) { members.append(member) }
            }
        }
        guard let name = names.first(where: { !$0.isEmpty }) else {
            throw MalformedInput(line: card.line, reason: "the group has no name; add a property FN")
        }
        self.name = name
        guard name.utf8.count <= Contact.largestName,
            members.allSatisfy({ $0.utf8.count <= Contact.largestName })
        else {
            throw MalformedInput(
                line: card.line,
                reason: ContactBookError.tooLong(field: "name or member", limit: Contact.largestName).message)
        }
    }

    /// Returns the member that a property names; nil for other properties.
    package static func member(_ property: VCardProperty) -> String? {
        guard ["MEMBER", "X-ADDRESSBOOKSERVER-MEMBER"].contains(property.name) else { return nil }
        let text = property.text.trimmingWhitespace
        let member = text.lowercased().hasPrefix("mailto:") ? text.lowercased() : CardIdentifier.plain(text)
        return member.isEmpty ? nil : member
    }

    /// Returns the line of a member in a version, without folding.
    package static func line(of member: String, _ version: VCardWriter.Version) -> String {
        (version == .version4 ? "MEMBER:" : "X-ADDRESSBOOKSERVER-MEMBER:")
            + VCardText.escaped(member.contains(":") ? member : "urn:uuid:" + member)
    }
}

extension VCard {
    /// `true` for the card of a group, in either version.
    package var isGroup: Bool {
        properties.contains {
            ($0.name == "KIND" || $0.name == "X-ADDRESSBOOKSERVER-KIND")
                && $0.value.trimmingWhitespace.lowercased() == "group"
        }
    }
}

// MARK: - Cards that stay

/// The group cards that a telephone or a linked folder keeps.
///
/// A card and the groups of contacts are one thing: who is listed belongs to the group, and who joins or leaves the group,
/// wherever that is done, is listed or no longer listed. A card is known by its identifier in the journal.
package enum GroupCards {
    /// Stores what a card lists, nil for a removed card. Contacts join and leave the group; a new card also lists those who
    /// are in the group already.
    ///
    /// - Parameter keepsOthers: `true` to keep members that the card does not list.
    /// - Returns: The number of changed contacts, and `true` if the card must list more than it does.
    @discardableResult
    package static func replace(
        _ card: String, by group: GroupCard?, keepingOthers keepsOthers: Bool = false, at now: Date, in db: Database
    ) throws -> (changes: Int, listsMore: Bool) {
        let old = try Listing(card, in: db)
        var new = group.map { Listing(name: $0.name, members: Set($0.members)) }
        if let group, old?.name != group.name {
            new?.members.formUnion(try otherMembers(of: group, in: db))
        } else if keepsOthers {
            new?.members.formUnion(old?.members ?? [])
        }
        let listsMore = new.map { $0.members.count > Set(group?.members ?? []).count } ?? false
        guard old != new else { return (0, listsMore) }
        try forget(card, in: db)
        if let new {
            try db.execute(sql: "INSERT INTO contact_group_card VALUES (?, ?)", arguments: [card, new.name])
            for member in new.members.sorted() { try add(member, to: card, in: db) }
        }
        var changes = 0
        for member in (old?.members ?? []).union(new?.members ?? []).sorted() {
            let before = old.flatMap { $0.members.contains(member) ? $0.name : nil }
            let after = new.flatMap { $0.members.contains(member) ? $0.name : nil }
            if before == after { continue }
            changes += try change(member, at: now, in: db) { groups in
                groups.removeAll { $0 == before }
                if let after, !groups.contains(after) { groups.append(after) }
            }
        }
        return (changes, listsMore)
    }

    /// Forgets a card that is no longer followed. The groups of contacts stay.
    package static func forget(_ card: String, in db: Database) throws {
        try db.execute(sql: "DELETE FROM contact_group_card WHERE card = ?", arguments: [card])
        try db.execute(sql: "DELETE FROM contact_group_member WHERE card = ?", arguments: [card])
    }

    /// Returns the UIDs of contacts in a group that its card does not list.
    private static func otherMembers(of group: GroupCard, in db: Database) throws -> [String] {
        let listed = Set(try group.members.flatMap { try ContactFetching.keys(ofMember: $0, in: db) })
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT key, coalesce(sourceUID, id) FROM contact WHERE key IN (
                    SELECT contact FROM contact_detail WHERE kind = \(DetailKind.group.rawValue) AND value = ?)
                """, arguments: [group.name])
        return try rows.compactMap { try listed.contains($0.value(0)) ? nil : $0.value(1) as String }
    }

    /// What a card lists.
    private struct Listing: Equatable {
        var name: String
        var members: Set<String>

        init(name: String, members: Set<String>) { (self.name, self.members) = (name, members) }

        init?(_ card: String, in db: Database) throws {
            let statement = try db.cachedStatement(sql: "SELECT name FROM contact_group_card WHERE card = ?")
            guard let row = try Row.fetchOne(statement, arguments: [card]) else { return nil }
            name = try row.value(0)
            members = Set(try GroupCards.members(of: card, in: db))
        }
    }

    /// Returns the members of a card: UIDs, or addresses with "mailto:".
    package static func members(of card: String, in db: Database) throws -> [String] {
        let statement = try db.cachedStatement(
            sql: "SELECT member FROM contact_group_member WHERE card = ? ORDER BY member")
        return try Row.fetchAll(statement, arguments: [card]).map { try $0.value(0) }
    }

    private static func add(_ member: String, to card: String, in db: Database) throws {
        try db.cachedStatement(sql: "INSERT OR IGNORE INTO contact_group_member VALUES (?, ?)")
            .execute(arguments: [card, member])
    }

    /// Changes the groups of the contacts that are a member. Returns their number.
    private static func change(
        _ member: String, at now: Date, in db: Database, _ body: (inout [String]) -> Void
    ) throws -> Int {
        var changes = 0
        for key in try ContactFetching.keys(ofMember: member, in: db) {
            guard let old = try ContactFetching.contacts([key], in: db)[key] else { continue }
            var new = old
            body(&new.groups)
            if new == old || new.excess != nil && old.excess == nil { continue }
            new.modifiedAt = now
            try ContactRows(db).replace(key: key, by: PreparedContact(new))
            changes += 1
        }
        return changes
    }

    /// Returns a contact as its own card describes it: without the groups of cards that list it, unless the card names them.
    package static func withoutListedGroups(
        _ contact: Contact, except named: [String], in db: Database
    ) throws -> Contact {
        guard !contact.groups.isEmpty, try exist(in: db) else { return contact }
        var described = contact
        let listed = try listings(of: contact, in: db).map(\.name)
        described.groups.removeAll { listed.contains($0) && !named.contains($0) }
        return described
    }

    /// Returns a contact with the groups of the cards that list it.
    package static func withListedGroups(_ contact: Contact, in db: Database) throws -> Contact {
        guard try exist(in: db) else { return contact }
        var joined = contact
        for listing in try listings(of: contact, in: db) where !joined.groups.contains(listing.name) {
            joined.groups.append(listing.name)
        }
        return joined.excess != nil && contact.excess == nil ? contact : joined
    }

    /// Lists a stored contact in the cards of its groups, and no longer in the others. Changed cards get an entry in the
    /// journal.
    static func update(for contact: Contact, in db: Database) throws {
        guard try exist(in: db) else { return }
        let listings = try listings(of: contact, in: db)
        var changed: Set<String> = []
        for listing in listings where !contact.groups.contains(listing.name) {
            try db.cachedStatement(sql: "DELETE FROM contact_group_member WHERE card = ? AND member = ?")
                .execute(arguments: [listing.card, listing.member])
            changed.insert(listing.card)
        }
        let cards = try db.cachedStatement(sql: "SELECT card FROM contact_group_card WHERE name = ?")
        for group in contact.groups {
            for row in try Row.fetchAll(cards, arguments: [group]) {
                let card: String = try row.value(0)
                if listings.contains(where: { $0.card == card }) { continue }
                try add(contact.sourceUID.isEmpty ? contact.id : contact.sourceUID, to: card, in: db)
                changed.insert(card)
            }
        }
        for card in changed.sorted() { try ContactBook.journal.record(card, isRemoved: false, in: db) }
    }

    static func exist(in db: Database) throws -> Bool {
        try Row.fetchOne(db.cachedStatement(sql: "SELECT 1 FROM contact_group_card LIMIT 1")) != nil
    }

    private static func listings(
        of contact: Contact, in db: Database
    ) throws -> [(card: String, name: String, member: String)] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT card, name, member FROM contact_group_member JOIN contact_group_card USING (card)
                WHERE member IN (?, ?)
                """)
        let addresses = contact.emails.map { "mailto:" + $0.identity }
        return try ([[contact.sourceUID, contact.id]] + addresses.map { [$0, ""] }).flatMap { members in
            try Row.fetchAll(statement, arguments: StatementArguments(members)).map {
                try ($0.value(0), $0.value(1), $0.value(2))
            }
        }
    }
}
