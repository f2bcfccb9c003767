import GRDB
import SwitchboardSearchEngine
import SwitchboardIncrementalIndex
import SwitchboardStorage

/// A contact that was found, with what its matches are marked in, if that was asked for.
struct FoundContact: Sendable {
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

/// The contacts that were found last, as long as the book stays as it is: the next letter mostly finds some of them again.
typealias FoundContacts = GenerationCache<Int64, FoundContact>

extension ContactHit {
    /// Longer answers are neither taken from memory nor kept there.
    private static let mostKept = 64

    /// The contacts of hits with the ranges to highlight, in their order; those that are not in memory are read in one go. A contact that is no
    /// more is left out.
    ///
    /// - Parameter generation: that of the contacts, as of the transaction that `db` is in.
    static func reading(
        _ hits: [SearchHit], generation: UInt64, memory: FoundContacts, in db: Database
    ) throws -> [ContactHit] {
        let generation = Int64(bitPattern: generation)
        let marks = hits.contains { !$0.matches.isEmpty }
        var found: [Int64: FoundContact] = [:]
        if hits.count <= mostKept {
            for hit in hits {
                guard let known = memory.value(for: hit.id, generation: generation) else { continue }
                if !marks || known.texts != nil { found[hit.id] = known }
            }
        }
        let missing = hits.map(\.id).filter { found[$0] == nil }
        if !missing.isEmpty {
            let tokens = marks ? try ContactBook.tokens(keys: missing, in: db) : [:]
            for (key, contact) in try ContactBook.contacts(keys: missing, in: db) {
                let new = FoundContact(contact, tokens[key])
                found[key] = new
                if hits.count <= mostKept { memory.insert(new, for: key, generation: generation) }
            }
        }
        return hits.compactMap { hit in
            guard let known = found[hit.id] else { return nil }
            guard marks, let texts = known.texts else {
                return ContactHit(contact: known.contact, match: ResultMatch(hit.kind), highlights: [:])
            }
            return ContactHit(hit, known.contact, texts)
        }
    }

    private init(_ hit: SearchHit, _ contact: Contact, _ texts: FoundContact.Texts) {
        let (tokens, person) = (texts.tokens, texts.person)
        var contact = contact
        var ranges: [String: [Range<Int>]] = [:]
        var numberThatMatched: Int?
        for place in MatchLocation.locations(of: hit, in: person) {
            switch place {
            case .number(let position, let writing, let letters):
                // Of several numbers the first one that matched is shown first; only it can be marked.
                if numberThatMatched == nil { numberThatMatched = position }
                guard numberThatMatched == position else { continue }
                let number = contact.phones[position].number
                ranges["phones.0", default: []] += HighlightRanges.ofNumber(
                    letters, of: person.numbers[position][writing], in: number.text,
                    extensionDigits: number.extensionNumber?.utf8.count ?? 0)
            case .text(let position, let range):
                ranges[tokens.entries[position].key, default: []].append(range)
            }
        }
        if let position = numberThatMatched, position > 0 {
            contact.phones.insert(contact.phones.remove(at: position), at: 0)
        }
        self.init(
            contact: contact, match: ResultMatch(hit.kind), highlights: ranges.mapValues(HighlightRanges.merged))
    }
}

extension ContactTokens.Entry {
    /// The field of the JSON object, for highlights.
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
