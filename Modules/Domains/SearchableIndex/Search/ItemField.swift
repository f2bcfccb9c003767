import SwitchboardSearchEngine
import SwitchboardIncrementalIndex
import SwitchboardTextNormalization

/// The fields of the index of items, the one that weighs most first.
enum ItemField: Int, CaseIterable {
    /// What an item is called.
    case titles
    /// Its other names and keywords.
    case names
    /// What is said about it: description, people, place.
    case details

    var options: FieldOptions {
        switch self {
        case .titles: [.wordSuffixes, .starts, .infix, .typos]
        case .names, .details: [.wordSuffixes, .typos]
        }
    }
}

/// The texts an item is found by.
///
/// They are folded when an index is made and when a hit is shown, and not stored: to read folded texts takes half as long as to fold
/// them, and would double the database. The whole text of an item is none of them; see ``BodySearch``.
struct ItemTexts {
    struct Entry {
        let field: ItemField
        /// The field of the JSON object, for highlights.
        let key: String
        let text: String
    }

    /// Of a longer description the beginning is indexed so far, in bytes.
    static let longest = 8_192

    private(set) var entries: [Entry] = []

    /// - Parameter searchable: the app's own attributes that are searched.
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
        guard text.utf8.count > longest else { return text }
        return String(decoding: text.utf8.prefix(longest), as: UTF8.self)
    }

    var folded: [FoldedText] { entries.map { FoldedText($0.text) } }

    /// The folded texts of some fields; those of others are empty.
    func folded(of fields: Set<ItemField>) -> [FoldedText] {
        entries.map { FoldedText(fields.contains($0.field) ? $0.text : "") }
    }

    /// The fields of a field, in order.
    ///
    /// Each word of a detail is a field of its own: nobody types a description from its middle on, and the field is a third smaller.
    func values(_ field: ItemField, _ folded: [FoldedText]) -> [FieldValue] {
        entries.indices.flatMap { position -> [FieldValue] in
            guard entries[position].field == field, let value = FieldValue(text: position, folded[position]) else {
                return []
            }
            if field != .details { return [value] }
            return value.words.map { word in
                var single = value
                single.words = [word]
                return single
            }
        }
    }
}
