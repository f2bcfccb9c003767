import GRDB
import SwitchboardIncrementalIndex
import SwitchboardSearchEngine
import SwitchboardStorage

/// A contact with the texts for highlighting, if needed.
struct CachedContact: Sendable {
    let contact: Contact
    let texts: Texts?

    struct Texts: Sendable {
        let tokens: ContactTokens
        let person: PersonTexts
    }

    init(_ contact: Contact, _ tokens: ContactTokens?) {
        self.contact = contact
        texts = tokens.map { Texts(tokens: $0, person: PersonTexts($0, contact.phones.map(\.number))) }
    }
}

/// The contacts of recent searches for one generation. The next keystroke often finds some of them again.
typealias ContactCache = GenerationCache<Int64, CachedContact>

extension ContactHit {
    /// Results with more hits bypass the cache.
    private static let largestCached = 64

    /// Returns the contacts of hits with highlights. Contacts that are not cached are fetched together; those that no
    /// longer exist are omitted.
    ///
    /// - Parameter generation: The generation of the contacts in the transaction of `db`.
    static func load(
        _ hits: [SearchHit], generation: UInt64, cache: ContactCache, in db: Database
    ) throws -> [ContactHit] {
        let generation = Int64(bitPattern: generation)
        let needsHighlights = hits.contains { !$0.matches.isEmpty }
        var found: [Int64: CachedContact] = [:]
        if hits.count <= largestCached {
            for hit in hits {
                guard let known = cache.value(for: hit.id, generation: generation) else { continue }
                if !needsHighlights || known.texts != nil { found[hit.id] = known }
            }
        }
        let missing = hits.map(\.id).filter { found[$0] == nil }
        if !missing.isEmpty {
            let tokens = needsHighlights ? try ContactBook.tokens(keys: missing, in: db) : [:]
            for (key, contact) in try ContactBook.contacts(keys: missing, in: db) {
                let new = CachedContact(contact, tokens[key])
                found[key] = new
                if hits.count <= largestCached { cache.insert(new, for: key, generation: generation) }
            }
        }
        return hits.compactMap { hit in
            guard let known = found[hit.id] else { return nil }
            guard needsHighlights, let texts = known.texts else {
                return ContactHit(contact: known.contact, match: ResultMatch(hit.kind), highlights: [:])
            }
            return ContactHit(hit, known.contact, texts)
        }
    }

    private init(_ hit: SearchHit, _ contact: Contact, _ texts: CachedContact.Texts) {
        let (tokens, person) = (texts.tokens, texts.person)
        var contact = contact
        var ranges: [String: [Range<Int>]] = [:]
        var matchedNumber: Int?
        for location in MatchLocation.locations(of: hit, in: person) {
            switch location {
            case .number(let position, let form, let letters):
                // The first matching number is listed first; only its matches are highlighted.
                if matchedNumber == nil { matchedNumber = position }
                guard matchedNumber == position else { continue }
                let number = contact.phones[position].number
                ranges["phones.0", default: []] += HighlightRanges.ofNumber(
                    letters, of: person.numbers[position][form], in: number.text,
                    extensionDigits: number.extensionNumber?.utf8.count ?? 0)
            case .text(let position, let range):
                ranges[tokens.entries[position].key, default: []].append(range)
            }
        }
        if let position = matchedNumber, position > 0 {
            contact.phones.insert(contact.phones.remove(at: position), at: 0)
        }
        self.init(
            contact: contact, match: ResultMatch(hit.kind), highlights: ranges.mapValues(HighlightRanges.merged))
    }
}

extension ContactTokens.Entry {
    /// The key of the field in highlights.
    fileprivate var key: String {
        switch field {
        case .displayName: "name"
        case .nickname: "nickname"
        case .phoneticName: "phoneticName"
        case .organization: "organization"
        case .email: "emails.\(position)"
        case .note: "note"
        }
    }
}
