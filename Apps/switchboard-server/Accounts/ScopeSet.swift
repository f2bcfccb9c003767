/// What a token is good for.
///
/// Written as words with commas: `contacts`, `prospects`, `airports`, `index`, `activities`, `reminders`, `me`, each alone or with
/// `:read` or `:write`; `read` for all reading; `all`; `metrics`.
public struct ScopeSet: Hashable, Sendable {
    /// What there is to read and write.
    public enum Domain: String, Sendable, CaseIterable {
        /// The address book.
        case contacts
        /// Accounts met.
        case prospects
        /// Airports that the person has chosen.
        case airports
        /// Items.
        case index
        /// What the person does.
        case activities
        /// Reminders and the calendar of them.
        case reminders
        /// The person's own badge and settings.
        case me
    }

    /// Reading or changing.
    public enum Use: String, Sendable, CaseIterable {
        /// Looking something up.
        case read
        /// Changing something.
        case write
    }

    /// The words, each once, in the order of the list above.
    public let words: [String]

    /// Everything.
    public static let all = ScopeSet(words: ["all"])

    /// Every word there is.
    public static var known: [String] {
        Domain.allCases.flatMap { domain in
            [domain.rawValue] + Use.allCases.map { "\(domain.rawValue):\($0.rawValue)" }
        } + ["read", "all", "metrics"]
    }

    private init(words: [String]) {
        self.words = words
    }

    /// Reads scopes as they are written.
    ///
    /// - Throws: ``AccountsError/unknownScope(_:)``; an empty text has none, which is one as well.
    public init(parsing text: String) throws(AccountsError) {
        var words: Set<String> = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let word = String(part.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
            guard Self.known.contains(word) else { throw .unknownScope(word) }
            words.insert(word)
        }
        self.words = Self.known.filter(words.contains)
    }

    /// Whether they include a use of a domain.
    public func permits(_ use: Use, of domain: Domain) -> Bool {
        words.contains { word in
            word == "all" || word == domain.rawValue || word == "\(domain.rawValue):\(use.rawValue)"
                || (use == .read && word == "read")
        }
    }

    /// Whether they are everything.
    public var isAll: Bool { words.contains("all") }

    /// Whether the figures of the server may be read.
    public var permitsMetrics: Bool { isAll || words.contains("metrics") }

    /// As they are written.
    public var text: String { words.joined(separator: ",") }
}
