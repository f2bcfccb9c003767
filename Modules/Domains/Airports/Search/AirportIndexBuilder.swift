import Dispatch
import SwitchboardSearchEngine
import SwitchboardTextNormalization

/// Adds subjects with their names to an index.
///
/// A document of the index is a subject with the names of one class. Its rank is the subject's popularity less the
/// penalty of the class, so documents are in display order, and the best prefix matches are found without visiting the
/// others.
struct AirportIndexBuilder {
    /// The version of the index contents; files of another version are rebuilt.
    static let schemaVersion: UInt64 = 3

    private var builder: IndexBuilder

    init(isPopular: Bool) {
        builder = IndexBuilder(fields: SearchField.options(isPopular: isPopular))
    }

    /// Returns the rank of a score; smaller is better.
    static func rank(score: Double) -> UInt64 { UInt64(max(0, (8 - score) * 1e6)) }

    static func score(rank: UInt64) -> Double { 8 - Double(rank) / 1e6 }

    mutating func add(_ entry: Entry) {
        for record in entry.records {
            builder.beginDocument(
                id: entry.subject.id(record.nameClass),
                rank: AirportIndexBuilder.rank(score: entry.score - record.nameClass.penalty))
            for value in record.values {
                builder.beginValue(field: value.field)
                for word in value.words { builder.addWord(word) }
            }
        }
    }

    consuming func build(fingerprint: UInt64) throws(IndexFormatError) -> SearchIndex {
        try builder.build(fingerprint: fingerprint)
    }

    /// A subject with its names folded. Folding is the expensive part, so several threads share it.
    struct Entry: Sendable {
        struct Value: Sendable {
            var field: Int
            var words: [[[UInt16]]]
        }

        struct Record: Sendable {
            var nameClass: NameClass
            var values: [Value] = []
        }

        let subject: SearchSubject
        let score: Double
        private(set) var records: [Record] = []

        init(
            _ subject: SearchSubject, score: Double, names: SubjectNames, isPopular: Bool, _ folded: inout FoldedNames
        ) {
            self.subject = subject
            self.score = score
            folded.begin(isPopular: isPopular)
            var fields = [SearchField.names, SearchField.keys] + SearchField.foreignFields
            if isPopular { fields += names.languages.compactMap(SearchField.field(of:)) }
            let isPlace = subject.kind == .place
            for nameClass in NameClass.allCases where nameClass == .words || (nameClass == .place) == isPlace {
                var record = Record(nameClass: nameClass)
                if nameClass == .words {
                    record.addWords(names, isPopular: isPopular && !isPlace, &folded)
                } else {
                    for field in fields where isPopular || field != SearchField.keys || nameClass != .foreign {
                        record.addNames(names, field: field, &folded)
                    }
                    if nameClass == .main, isPopular { record.addInitials(names, &folded) }
                }
                if !record.values.isEmpty { records.append(record) }
            }
        }
    }
}

extension AirportIndexBuilder.Entry.Record {
    fileprivate mutating func addNames(_ names: SubjectNames, field: Int, _ folded: inout FoldedNames) {
        let all = names.names(nameClass, field: field)
        SearchField.forEachValue(of: all, nameClass, field: field, fold: { folded.words(of: $0) }) { _, joined in
            // The index ignores a value without words; a letter that cannot be typed keeps its ordinal.
            let spellings = joined.spellings.isEmpty ? [[0]] : joined.spellings.map { $0.letters }
            values.append(AirportIndexBuilder.Entry.Value(field: field, words: [spellings]))
        }
    }

    fileprivate mutating func addWords(
        _ names: SubjectNames, isPopular: Bool, _ folded: inout FoldedNames
    ) {
        let english = names.main + names.own + names.colloquial + names.surroundings
        // Small airports are not searched by foreign names of their country.
        let all = english + names.codes + names.foreign + names.foreignCity + (isPopular ? names.foreignCountry : [])
        for (field, all) in [(SearchField.words, all), (SearchField.englishWords, english)] {
            var seen: Set<[UInt16]> = []
            for name in all {
                for word in folded.words(of: name) {
                    for spelling in word.spellings.prefix(SearchField.maxWordSpellings)
                    where seen.insert(spelling.letters).inserted {
                        values.append(AirportIndexBuilder.Entry.Value(field: field, words: [[spelling.letters]]))
                    }
                }
            }
        }
    }

    fileprivate mutating func addInitials(_ names: SubjectNames, _ folded: inout FoldedNames) {
        for name in names.main {
            let words = folded.words(of: name).map { $0.spellings.map { $0.letters } }
            if words.count > 1 {
                values.append(AirportIndexBuilder.Entry.Value(field: SearchField.initials, words: words))
            }
        }
    }
}

/// A cache of folded names, which recur across fields and airports.
struct FoldedNames {
    private var known: [String: [FoldedWord]] = [:]
    private var isPopular = true

    mutating func words(of name: String) -> [FoldedWord] {
        if let words = known[name] { return words }
        let words = SearchField.fold(name, isPopular: isPopular)
        known[name] = words
        return words
    }

    /// Begins another subject. Folded names are kept up to a limit, since country names recur.
    mutating func begin(isPopular: Bool) {
        self.isPopular = isPopular
        if known.count > 8192 { known.removeAll() }
    }
}
