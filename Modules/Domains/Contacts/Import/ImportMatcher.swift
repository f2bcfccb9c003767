import Foundation
package import GRDB
import SwitchboardAlgorithms
import SwitchboardStorage
import SwitchboardTextNormalization
import SwitchboardVCard

/// Matches a batch of cards with contacts of the book that are the same person.
///
/// The candidates of a batch are fetched together. Contacts added by the batch itself are matched in memory. All cards
/// of a matcher come from one file, in which different UIDs identify different people.
package struct ImportMatcher {
    /// The maximum number of candidates per number or name, which limits the cost of a company's main number.
    private static let maximumCandidates = 64
    /// The maximum number of candidates per UID. Some programs give all cards the same UID.
    private static let maximumNamesakesOfUID = 8

    private let db: Database
    private var contacts: [Int64: Contact] = [:]
    private var candidates: [[Int64]] = []
    private var addedByKey: [String: [Int64]] = [:]
    /// The last key of the book before the import.
    private let lastKey: Int64
    /// The hash of the UID of the card stored in each contact that predates the import. Contacts added by the import
    /// have the UID itself.
    private var cards: [Int64: Int] = [:]

    private let bySource: RowStatement
    private let byNamedSource: RowStatement
    private let byID: RowStatement
    private let byPhone: RowStatement
    private let byEmail: RowStatement
    private let byName: RowStatement

    package init(_ db: Database) throws {
        self.db = db
        let limit = ImportMatcher.maximumCandidates
        lastKey = try Int64.fetchOne(db, sql: "SELECT max(key) FROM contact") ?? 0
        bySource = try RowStatement(
            db, "SELECT key FROM contact WHERE sourceUID = ? LIMIT \(ImportMatcher.maximumNamesakesOfUID)")
        byNamedSource = try RowStatement(
            db,
            """
            SELECT key FROM contact INDEXED BY contact_on_nameKey WHERE nameKey = ? AND sourceUID = ? LIMIT \(limit)
            """)
        byID = try RowStatement(db, "SELECT key FROM contact WHERE id = ?")
        byPhone = try RowStatement(db, "SELECT contact FROM contact_phone WHERE identity = ? LIMIT \(limit)")
        byEmail = try RowStatement(db, "SELECT contact FROM contact_email WHERE identity = ? LIMIT \(limit)")
        byName = try RowStatement(db, "SELECT key FROM contact WHERE nameKey = ? LIMIT 1")
    }

    package mutating func prepare(for batch: [PreparedContact]) throws {
        contacts.removeAll(keepingCapacity: true)
        addedByKey.removeAll(keepingCapacity: true)
        candidates = Array(repeating: [], count: batch.count)
        for (index, prepared) in batch.enumerated() { try find(prepared, index) }
        contacts = try ContactFetching.contacts(Array(Set(candidates.joined())), in: db)
    }

    /// A contact of the book that is the same person as a card.
    package struct Match {
        package let key: Int64
        package let contact: Contact
        let evidence: IdentityEvidence
        /// `true` if a later card of the file may have the contact's UID and be that person instead.
        let isProvisional: Bool
    }

    /// Returns the contact that is the same person as a card of the batch, preferably one with the card's UID.
    package func match(_ index: Int, _ prepared: PreparedContact) -> Match? {
        let card = prepared.contact
        var keys = index < candidates.count ? candidates[index] : []
        for key in prepared.matchKeys { keys += addedByKey[key] ?? [] }
        var found: Match?
        for key in keys {
            guard let contact = contacts[key], !isOfOtherCard(key, contact, than: card),
                let evidence = card.identityEvidence(with: contact, isOfSameFile: isOfFile(key))
            else { continue }
            let isProvisional = !card.sourceUID.isEmpty && evidence != .identifier && !isOfFile(key)
            let match = Match(key: key, contact: contact, evidence: evidence, isProvisional: isProvisional)
            if evidence == .identifier { return match }
            found = found ?? match
        }
        return found
    }

    /// Returns a different person's contact that has the UID of a card.
    func otherPerson(withUIDOf prepared: PreparedContact, _ index: Int) -> Contact? {
        let uid = prepared.contact.sourceUID
        guard !uid.isEmpty else { return nil }
        let keys = (index < candidates.count ? candidates[index] : []) + (addedByKey["uid " + uid] ?? [])
        return keys.lazy.compactMap { contacts[$0] }.first { $0.sourceUID == uid || $0.id == uid }
    }

    private func isOfFile(_ key: Int64) -> Bool { key > lastKey || cards[key] != nil }

    /// Returns `true` if a card of the file with another UID was stored in a contact.
    private func isOfOtherCard(_ key: Int64, _ contact: Contact, than card: Contact) -> Bool {
        if card.sourceUID.isEmpty { return false }
        if key > lastKey { return !contact.sourceUID.isEmpty && contact.sourceUID != card.sourceUID }
        return cards[key].map { $0 != card.sourceUID.hashValue } ?? false
    }

    /// Makes an added or changed contact available to later matches.
    package mutating func remember(_ prepared: PreparedContact, key: Int64) {
        contacts[key] = prepared.contact
        for matchKey in prepared.matchKeys {
            addedByKey[matchKey, default: []].append(key, upTo: ImportMatcher.maximumCandidates)
        }
    }

    /// Records that a card was stored in a contact, which then belongs to no other UID of the file.
    package mutating func claim(_ key: Int64, for card: Contact) {
        if key <= lastKey, !card.sourceUID.isEmpty { cards[key] = card.sourceUID.hashValue }
    }

    /// Returns the keys of a group's members in order, and the members that match no contact.
    func members(of group: GroupCard) throws -> (keys: [Int64], unresolved: [String]) {
        var keys: [Int64] = []
        var unresolved: [String] = []
        for member in group.members {
            let found = try ContactFetching.keys(ofMember: member, in: db)
            if found.isEmpty { unresolved.append(member) }
            keys += found
        }
        return (keys.uniqued, unresolved)
    }

    func contact(_ key: Int64) throws -> Contact? {
        try ContactFetching.contacts([key], in: db)[key]
    }
}

// MARK: - Queries

extension ImportMatcher {
    /// Adds contacts with the same UID, and contacts of the same name with a shared number or e-mail address.
    private mutating func find(_ prepared: PreparedContact, _ index: Int) throws {
        let contact = prepared.contact
        var keys: [Int64] = []
        if !contact.sourceUID.isEmpty {
            try bySource.append(contact.sourceUID, to: &keys)
            if keys.count == ImportMatcher.maximumNamesakesOfUID {
                try byNamedSource.execute(prepared.nameKey, contact.sourceUID) { keys.append($0) }
            }
            // The UID of an exported card is the contact's identifier if it had no source UID.
            try byID.append(contact.sourceUID, to: &keys)
            keys.sort()
        }
        var sharing: [Int64] = []
        var isCrowded = false
        for (statement, identities) in [
            (byPhone, contact.phones.map(\.number.identity)), (byEmail, contact.emails.map(\.identity)),
        ] {
            for identity in identities {
                let count = sharing.count
                try statement.append(identity, to: &sharing)
                if sharing.count - count == ImportMatcher.maximumCandidates { isCrowded = true }
            }
        }
        for key in sharing where !keys.contains(key) {
            if try hasName(of: prepared, key) { keys.append(key) }
        }
        if keys.isEmpty { try findByName(prepared, isCrowded: isCrowded, &keys) }
        candidates[index] = keys.uniqued
    }

    /// Returns `true` if a contact has the folded words of a card's name, or one of them has no full name.
    private func hasName(of prepared: PreparedContact, _ key: Int64) throws -> Bool {
        let statement = try db.cachedStatement(sql: "SELECT nameKey FROM contact WHERE key = ?")
        guard let nameKey = try String.fetchOne(statement, arguments: [key]) else { return false }
        return nameKey == prepared.nameKey || nameKey.isEmpty || prepared.nameKey.isEmpty
    }

    /// Adds contacts of the same name that may share an unindexed fact or may have no other data.
    private func findByName(_ prepared: PreparedContact, isCrowded: Bool, _ keys: inout [Int64]) throws {
        let contact = prepared.contact
        if !prepared.nameKey.isEmpty {
            // Most names are new, and this query detects that in a microsecond.
            try byName.append(prepared.nameKey, to: &keys)
            if keys.isEmpty { return }
            keys = []
        }
        // Numbers without a country code may be stored with one; postal addresses have no index.
        let includesAll =
            isCrowded || !contact.addresses.isEmpty || contact.phones.contains { $0.number.e164 == nil }
            || (contact.phones.isEmpty && contact.emails.isEmpty)
        let sql = """
            SELECT key FROM (
                SELECT key FROM contact
                WHERE nameKey = ? AND (nameKey <> '' OR sortKey = ?) LIMIT \(ImportMatcher.maximumCandidates))
            WHERE ? OR NOT (EXISTS (SELECT 1 FROM contact_phone WHERE contact = key)
                OR EXISTS (SELECT 1 FROM contact_email WHERE contact = key))
            """
        let statement = try db.cachedStatement(sql: sql)
        keys += try Int64.fetchAll(statement, arguments: [prepared.nameKey, prepared.sortKey, includesAll])
    }
}

extension [Int64] {
    fileprivate mutating func append(_ key: Int64, upTo limit: Int) {
        if count < limit { append(key) }
    }
}

// MARK: - Identity of people

/// The evidence that an imported card and a contact are the same person.
enum IdentityEvidence: String {
    case identifier = "same UID"
    case number = "same name and number"
    case email = "same name and e-mail address"
    case address = "same name and postal address"
    case nothingElse = "same name, and one has nothing that the other lacks"
}

extension Contact {
    /// Returns the evidence that an imported card is the same person as a contact of the book; nil without proof.
    ///
    /// - An equal UID is proof if the names are compatible. Within one file, which describes each person once, they
    ///   must be compatible as typed, and nothing may contradict the match.
    /// - Otherwise the names must be equal as typed, nothing may contradict the match, and they must share a number or
    ///   address, or one of them has nothing that the other lacks.
    ///
    /// - Parameters:
    ///   - other: The contact of the book.
    ///   - isOfSameFile: `true` if another card of the same file was stored in it.
    fileprivate func identityEvidence(with other: Contact, isOfSameFile: Bool) -> IdentityEvidence? {
        let (name, otherName) = (NameAsTyped(self), NameAsTyped(other))
        if !sourceUID.isEmpty, sourceUID == other.sourceUID || sourceUID == other.id {
            let isCompatible =
                name == otherName || name.isContained(in: otherName) || otherName.isContained(in: name)
                || !isOfSameFile && hasCompatibleLetters(name, otherName)
            guard isCompatible, generations == other.generations else { return nil }
            return isOfSameFile && contradicts(other) ? nil : .identifier
        }
        guard name == otherName, !contradicts(other) else { return nil }
        if phones.contains(where: { phone in other.phones.contains { $0.number.isSame(as: phone.number) } }) {
            return .number
        }
        if emails.contains(where: { email in other.emails.contains { $0.identity == email.identity } }) {
            return .email
        }
        if addresses.contains(where: { address in other.addresses.contains { $0.components == address.components } }) {
            return .address
        }
        return addsNothing(to: other) || other.addsNothing(to: self) ? .nothingElse : nil
    }

    /// Returns `true` if the folded words of one name are words or initials of the other, as after
    /// correcting an accent.
    private func hasCompatibleLetters(_ name: NameAsTyped, _ other: NameAsTyped) -> Bool {
        let (mine, theirs) = (NameKey(name.text), NameKey(other.text))
        return NameAsTyped.isContained(mine.words, in: theirs.words)
            || NameAsTyped.isContained(theirs.words, in: mine.words)
    }

    /// Returns `true` if some fact shows that two contacts of the same name are different people.
    private func contradicts(_ other: Contact) -> Bool {
        generations != other.generations || hasOtherBirthday(than: other) || hasOtherOrganization(than: other)
    }

    private func hasOtherBirthday(than other: Contact) -> Bool {
        if birthday.isEmpty || other.birthday.isEmpty || birthday == other.birthday { return false }
        guard let mine = Birthday(birthday), let theirs = Birthday(other.birthday) else { return true }
        let hasOtherYear = mine.year != nil && theirs.year != nil && mine.year != theirs.year
        return hasOtherYear || (mine.month, mine.day) != (theirs.month, theirs.day)
    }

    private func hasOtherOrganization(than other: Contact) -> Bool {
        !organization.isEmpty && !other.organization.isEmpty
            && NameAsTyped(organization) != NameAsTyped(other.organization)
    }

    /// The generation suffixes of the name, which distinguish father and son.
    private var generations: Set<String> {
        let words = [name.suffix, name.generation, fullName].joined(separator: " ").split { $0 == " " || $0 == "," }
        return Set(words.compactMap { NameWords.generation($0) })
    }

    /// Returns the facts in which contacts differ that would be equal for one person.
    static func contradictions(among contacts: [Contact]) -> [Contradiction] {
        func differ(_ isOther: (Contact, Contact) -> Bool) -> Bool {
            contacts.indices.contains { first in contacts[..<first].contains { isOther(contacts[first], $0) } }
        }
        func hasOtherName(_ one: Contact, _ two: Contact) -> Bool {
            let (name, other) = (NameAsTyped(one), NameAsTyped(two))
            return !name.isContained(in: other) && !other.isContained(in: name) && name != other
        }
        let kinds: [(Contradiction.Kind, (Contact) -> String, Bool)] = [
            (.name, \.displayName, differ(hasOtherName) || differ { $0.generations != $1.generations }),
            (.birthday, \.birthday, differ { $0.hasOtherBirthday(than: $1) }),
            (.organization, \.organization, differ { $0.hasOtherOrganization(than: $1) }),
        ]
        return kinds.filter(\.2).map { kind, text, _ in
            Contradiction(kind: kind, values: contacts.map(text).filter { !$0.isEmpty }.uniqued)
        }
    }

    /// Returns `true` if another contact has all facts of this one. Always `false` for a contact with numbers or e-mail
    /// addresses: if the other contact had them, a shared one would have matched already.
    private func addsNothing(to other: Contact) -> Bool {
        guard phones.isEmpty, emails.isEmpty else { return false }
        var mine = self
        if other.sourceUID.isEmpty { mine.sourceUID = "" }
        return other.merging(mine) == other
    }
}

/// A contact's name as typed: its words in lower case, with diacritics, symbols and emoji.
///
/// "Mom ❤️" and "Mom 🐝", "Hoà" and "Hoá", "C++" and "C#" are different names; "ANA  LIMA" and "Ana Lima" are one.
/// Without a full name, the nickname or the organization is used instead.
struct NameAsTyped: Hashable {
    /// The words in order; empty without a name. Swift compares them by canonical equivalence.
    let words: [String]

    /// The words in order, separated by spaces.
    var text: String { words.joined(separator: " ") }

    init(_ contact: Contact) {
        let whole = [contact.fullName, contact.nickname, contact.organization].first { !$0.isEmpty } ?? ""
        let words = NameAsTyped.words(of: whole)
        guard whole.contains(","), whole == contact.fullName else {
            self.words = words
            return
        }
        // "Lima, Ana" is the sorting form of "Ana Lima".
        let composed = NameAsTyped.words(of: contact.name.composed)
        let isSortingForm = NameAsTyped.withoutPunctuation(words).sorted() == composed.sorted()
        self.words = isSortingForm ? composed : words
    }

    init(_ name: String) { words = NameAsTyped.words(of: name) }

    private static func words(of name: String) -> [String] {
        name.split(whereSeparator: \.isWhitespace).map { $0.lowercased() }
    }

    private static func withoutPunctuation(_ words: [String]) -> [String] {
        words.map { word in
            let stripped = word.trimmingCharacters(in: [",", "."])
            return stripped.isEmpty ? word : stripped
        }
    }

    /// Returns `true` if another name contains this one: each word is a word of the other name or the initial of one,
    /// such as "J. Smith" and "Smith, John" beside "John A. Smith".
    func isContained(in other: NameAsTyped) -> Bool {
        let (mine, theirs) = (NameAsTyped.withoutPunctuation(words), NameAsTyped.withoutPunctuation(other.words))
        return NameAsTyped.isContained(mine, in: theirs)
    }

    /// Returns `true` if each word is one of the others or the initial of one, at least one is a whole word, and no
    /// other word consists of symbols: "Mom" is not contained in "Mom ❤️".
    static func isContained(_ words: [String], in others: [String]) -> Bool {
        var rest = others
        var wholeWords = 0
        for word in words {
            // A Han character or a hangul syllable is a word, not an initial.
            let isLetter = word.unicodeScalars.count == 1 && word.utf8.count < 3
            if let index = rest.firstIndex(of: word) {
                rest.remove(at: index)
                if !isLetter { wholeWords += 1 }
            } else if isLetter, let index = rest.firstIndex(where: { $0.hasPrefix(word) }) {
                rest.remove(at: index)
            } else {
                return false
            }
        }
        return wholeWords > 0 && rest.allSatisfy { $0.contains { $0.isLetter || $0.isNumber } }
    }
}
