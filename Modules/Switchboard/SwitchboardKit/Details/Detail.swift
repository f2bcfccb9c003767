/// One thing that is known of something: what it is, and what it says.
public struct Detail: Sendable, Hashable {
    /// How it is shown.
    public enum Tone: Sendable, Hashable {
        /// As text.
        case plain
        /// As what the rest is about.
        case strong
        /// As something that is only there to be looked up.
        case faint
    }

    /// What it is, such as "phone (work)".
    public var name: String
    /// What it says, of one line or several.
    public var text: String
    /// How it is shown.
    public var tone: Tone

    /// A detail; see the properties.
    public init(_ name: String, _ text: String, _ tone: Tone = .plain) {
        self.name = name
        self.text = text
        self.tone = tone
    }
}

extension SearchResult {
    /// All that is known of it, in the order of reading.
    ///
    /// - Parameter language: the language of airports' names.
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
