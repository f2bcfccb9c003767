import Foundation
import GRDB
import LookupEngine
import TextFolding

/// Turns hits of the index into contacts with the ranges to highlight.
enum Highlighter {
    /// The contacts of hits, in their order, read in one go. A contact that is no more is left out.
    static func contactHits(_ hits: [LookupHit], in db: Database) throws -> [ContactHit] {
        if hits.isEmpty { return [] }
        let keys = hits.map(\.id)
        let contacts = try ContactBook.contacts(keys: keys, in: db)
        let tokens = hits.contains { !$0.matches.isEmpty } ? try ContactBook.tokens(keys: keys, in: db) : [:]
        return hits.compactMap { hit in
            guard let contact = contacts[hit.id] else { return nil }
            guard let tokens = tokens[hit.id] else {
                return ContactHit(contact: contact, match: AnswerMatch(hit.kind), highlights: [:])
            }
            return contactHit(hit, contact, tokens, contact.phones.map(\.number))
        }
    }

    private static func contactHit(
        _ hit: LookupHit, _ contact: Contact, _ tokens: ContactTokens, _ numbers: [PhoneNumber]
    ) -> ContactHit {
        var contact = contact
        var ranges: [String: [Range<Int>]] = [:]
        var fieldsOfLanes: [Int: [LaneField]] = [:]
        var numberThatMatched: Int?
        for match in hit.matches {
            let fields = fieldsOfLanes[match.lane] ?? ContactLane(rawValue: match.lane)?.fields(tokens, numbers) ?? []
            fieldsOfLanes[match.lane] = fields
            guard fields.indices.contains(match.field) else { continue }
            let field = fields[match.field]
            guard field.words.indices.contains(match.word) else { continue }
            let word = field.words[match.word]
            guard word.origins.indices.contains(match.spelling) else { continue }
            switch field.source {
            case .number(let position):
                // Of several numbers the first one that matched is shown first; only it can be marked.
                if numberThatMatched == nil { numberThatMatched = position }
                guard numberThatMatched == position, numbers.indices.contains(position) else { continue }
                let readings = PhoneReading.all(of: numbers[position])
                let marked = digits(match.letters, of: readings[word.origins[match.spelling]], in: numbers[position])
                ranges["phones.0", default: []] += marked
            case .text(let entry):
                if let (key, range) = place(match.letters, word, entry, word.origins[match.spelling], tokens) {
                    ranges[key, default: []].append(range)
                }
            }
        }
        if let position = numberThatMatched, position > 0, contact.phones.indices.contains(position) {
            contact.phones.insert(contact.phones.remove(at: position), at: 0)
        }
        return ContactHit(contact: contact, match: AnswerMatch(hit.kind), highlights: ranges.mapValues(merged))
    }

    /// Where letters of a word stand in the contact.
    private static func place(
        _ letters: Range<Int>, _ word: LaneField.Word, _ entry: Int, _ spelling: Int, _ tokens: ContactTokens
    ) -> (String, Range<Int>)? {
        let text = tokens.entries[entry]
        guard text.text.words.indices.contains(word.word) else { return nil }
        let folded = text.text.words[word.word]
        guard folded.spellings.indices.contains(spelling) else { return nil }
        switch text.field {
        case .displayName: return ("name", folded.spellings[spelling].source(of: letters))
        case .nickname: return ("nickname", folded.spellings[spelling].source(of: letters))
        case .phoneticName: return ("phoneticName", folded.spellings[spelling].source(of: letters))
        case .organization: return ("organization", folded.spellings[spelling].source(of: letters))
        case .email: return ("emails.\(text.position)", folded.spellings[spelling].source(of: letters))
        case .note: return ("note", folded.spellings[spelling].source(of: letters))
        }
    }

    /// The scalars of a number, as stored, from the first to the last digit that matched; what stands between them
    /// (spaces, dashes) was skipped in the query too.
    ///
    /// A reading and the text share their last digits, so both are counted from the end, without the extension; what
    /// the text does not show (a country code left out) marks nothing.
    private static func digits(
        _ letters: Range<Int>, of reading: PhoneReading, in number: PhoneNumber
    ) -> [Range<Int>] {
        var places: [Int] = []
        for (position, scalar) in number.text.unicodeScalars.enumerated()
        where scalar.properties.numericType == .decimal || (scalar == "+" && places.isEmpty) {
            places.append(position)
        }
        places.removeLast(min(places.count, number.extensionNumber?.utf8.count ?? 0))
        let offset = places.count - reading.letters.utf16.count
        let shown = letters.map { $0 + offset }.filter { places.indices.contains($0) }
        guard let first = shown.first, let last = shown.last else { return [] }
        return [places[first]..<(places[last] + 1)]
    }

    /// Sorted, without overlaps, touching ones as one.
    static func merged(_ ranges: [Range<Int>]) -> [Range<Int>] {
        var result: [Range<Int>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
            if let last = result.last, range.lowerBound <= last.upperBound {
                result[result.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                result.append(range)
            }
        }
        return result
    }
}
