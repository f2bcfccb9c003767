import SwitchboardIncrementalIndex
import SwitchboardSearchEngine
import SwitchboardTextNormalization

/// The fields of the item index, highest weight first.
enum ItemField: Int, CaseIterable {
    /// Title and display name.
    case titles
    /// Alternate names and keywords.
    case names
    /// Description, people, place and searchable custom attributes.
    case details
    /// Title and display name, by the keys of a keypad.
    case keypadTitles

    var options: FieldOptions {
        switch self {
        case .titles: [.wordSuffixes, .initials, .infix, .typos]
        case .names, .details: [.wordSuffixes, .typos]
        case .keypadTitles: [.wordSuffixes, .initials, .typos]
        }
    }

    /// The field whose texts are searched.
    var texts: ItemField { self == .keypadTitles ? .titles : self }
}

/// The searchable texts of an item, without the full text (see ``BodySearch``).
///
/// Texts are folded when an index is built and when a hit is shown. Storing folded texts would double the database and
/// save only half of that time.
struct ItemTexts {
    struct Entry {
        enum Source {
            case attribute(Attribute, Int)
            case custom(String, Int)
        }

        let field: ItemField
        let source: Source
        let text: String

        /// The key of the text in the item's JSON, for highlights.
        var key: String {
            switch source {
            case .attribute(let attribute, let position):
                attribute.isList ? "\(attribute.name).\(position)" : attribute.name
            case .custom(let name, let position): "custom.\(name).\(position)"
            }
        }
    }

    /// The maximum number of bytes of a text to index; longer texts are cut.
    static let maximumSize = 8_192

    private(set) var entries: [Entry] = []

    /// - Parameters:
    ///   - searchable: The searchable custom attributes.
    ///   - fields: The fields whose texts are needed.
    init(_ set: SearchableItemAttributeSet, searchable: [String], of fields: [ItemField] = ItemField.allCases) {
        func add(_ attribute: Attribute, _ field: ItemField) {
            if !fields.contains(field) { return }
            for (position, value) in set[attribute].enumerated() {
                let text: String
                switch value {
                case .text(let value): text = value
                case .person(let person): text = person.name
                default: continue
                }
                entries.append(
                    Entry(field: field, source: .attribute(attribute, position), text: Self.beginning(of: text)))
            }
        }
        add(.title, .titles)
        add(.displayName, .titles)
        add(.alternateNames, .names)
        add(.keywords, .names)
        for attribute in [
            Attribute.contentDescription, .authors, .authorNames, .recipients, .recipientNames, .contactKeywords,
            .namedLocation,
        ] {
            add(attribute, .details)
        }
        for name in fields.contains(.details) ? searchable : [] {
            for (position, value) in (set.custom[name] ?? []).enumerated() {
                guard case .text(let text) = value else { continue }
                entries.append(
                    Entry(field: .details, source: .custom(name, position), text: Self.beginning(of: text)))
            }
        }
    }

    private static func beginning(of text: String) -> String {
        guard text.utf8.count > maximumSize else { return text }
        return String(decoding: text.utf8.prefix(maximumSize), as: UTF8.self)
    }

    var folded: [FoldedText] { entries.map { FoldedText($0.text) } }

    /// Returns the values of a field, in order.
    ///
    /// In details each word is a value, which makes the index a third smaller: descriptions are not searched by phrase.
    func values(_ field: ItemField, _ folded: [FoldedText]) -> [FieldValue] {
        entries.indices.flatMap { position -> [FieldValue] in
            guard entries[position].field == field.texts,
                let value = FieldValue(
                    text: position, folded[position], as: field == .keypadTitles ? .keys : .letters)
            else { return [] }
            if field != .details { return [value] }
            return value.words.map { word in
                var single = value
                single.words = [word]
                return single
            }
        }
    }

    /// Returns the locations of a hit. Most texts are plain; the others are folded at the first match in one of them.
    func locations(of hit: SearchHit) -> [MatchLocation] {
        lazy var folded = folded
        var values: [ItemField: [FieldValue]] = [:]
        return hit.matches.flatMap { match -> [MatchLocation] in
            guard let field = ItemField(rawValue: match.field) else { return [] }
            if let location = plainLocation(of: match, in: field) { return [location] }
            let known = values[field] ?? self.values(field, folded)
            values[field] = known
            return MatchLocation.locations(of: match, in: known, folded)
        }
    }

    /// Returns the location of a match in a text; nil if the words of this text, or of a text before it, need folding.
    private func plainLocation(of match: WordMatch, in field: ItemField) -> MatchLocation? {
        // The number of the value, or of the word if each word is a value.
        var left = match.value
        for (position, entry) in entries.enumerated() where entry.field == field.texts {
            guard let words = PlainWords(Array(entry.text.utf8)[...]), field != .keypadTitles || words.isLatin else {
                return nil
            }
            if words.isEmpty { continue }
            let count = field == .details ? words.count : 1
            if left < count {
                let word = field == .details ? left : match.word
                return words.range(of: match, inWord: word).map { .text(position, $0) }
            }
            left -= count
        }
        return nil
    }
}
