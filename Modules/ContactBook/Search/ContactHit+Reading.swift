import GRDB
import LookupEngine
import RecordLookup

extension ContactHit {
    /// The contacts of hits with the ranges to highlight, in their order, read in one go. A contact that is no more is left out.
    static func reading(_ hits: [LookupHit], in db: Database) throws -> [ContactHit] {
        if hits.isEmpty { return [] }
        let keys = hits.map(\.id)
        let contacts = try ContactBook.contacts(keys: keys, in: db)
        let tokens = hits.contains { !$0.matches.isEmpty } ? try ContactBook.tokens(keys: keys, in: db) : [:]
        return hits.compactMap { hit in
            guard let contact = contacts[hit.id] else { return nil }
            guard let tokens = tokens[hit.id] else {
                return ContactHit(contact: contact, match: AnswerMatch(hit.kind), highlights: [:])
            }
            return ContactHit(hit, contact, tokens)
        }
    }

    private init(_ hit: LookupHit, _ contact: Contact, _ tokens: ContactTokens) {
        let person = PersonTexts(tokens, contact.phones.map(\.number))
        var contact = contact
        var ranges: [String: [Range<Int>]] = [:]
        var numberThatMatched: Int?
        for place in MatchPlace.places(of: hit, in: person) {
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
            contact: contact, match: AnswerMatch(hit.kind), highlights: ranges.mapValues(HighlightRanges.merged))
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
