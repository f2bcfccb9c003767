/// A detail of an object: a name and a text.
public struct Detail: Sendable, Hashable {
    /// The emphasis of a detail.
    public enum Tone: Sendable, Hashable {
        /// Normal text.
        case plain
        /// The main detail.
        case strong
        /// A detail for reference only.
        case faint
    }

    /// The name, such as "phone (work)".
    public var name: String
    /// The text, of one or more lines.
    public var text: String
    /// The emphasis of a detail.
    public var tone: Tone

    /// Creates a detail.
    public init(_ name: String, _ text: String, _ tone: Tone = .plain) {
        self.name = name
        self.text = text
        self.tone = tone
    }
}

extension SearchResult {
    /// Returns all details of the object, in reading order.
    ///
    /// - Parameter language: The language of airport names.
    public func details(language: String) -> [Detail] {
        switch object {
        case .contact(let contact): contact.details
        case .prospect(let prospect): prospect.details
        case .airport(let airport, let airports):
            airport.details(title: title, subtitle: subtitle, airports: airports, language: language)
        case .item(let item, _): item.details
        }
    }
}
