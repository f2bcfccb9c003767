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
        let field: ItemField
        /// The key of the text in the item's JSON, for highlights.
        let key: String
        let text: String
    }

    /// The maximum number of bytes of a text to index; longer texts are cut.
    static let maximumSize = 8_192

    private(set) var entries: [Entry] = []

    /// - Parameter searchable: The searchable custom attributes.
    init(_ set: SearchableItemAttributeSet, searchable: [String]) {
        func add(_ attribute: Attribute, _ field: ItemField) {
            for (position, value) in set[attribute].enumerated() {
                let text: String
                switch value {
                case .text(let value): text = value
                case .person(let person): text = person.name
                default: continue
                }
                let key = attribute.isList ? "\(attribute.name).\(position)" : attribute.name
                entries.append(Entry(field: field, key: key, text: Self.beginning(of: text)))
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
        for key in searchable {
            for (position, value) in (set.custom[key] ?? []).enumerated() {
                guard case .text(let text) = value else { continue }
                entries.append(Entry(field: .details, key: "custom.\(key).\(position)", text: Self.beginning(of: text)))
            }
        }
    }

    private static func beginning(of text: String) -> String {
        guard text.utf8.count > maximumSize else { return text }
        return String(decoding: text.utf8.prefix(maximumSize), as: UTF8.self)
    }

    var folded: [FoldedText] { entries.map { FoldedText($0.text) } }

    /// Returns the folded texts of some fields; the others are empty.
    func folded(of fields: Set<ItemField>) -> [FoldedText] {
        entries.map { FoldedText(fields.contains($0.field) ? $0.text : "") }
    }

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
}
