/// The scopes of a token.
///
/// The text form is a comma-separated list: `contacts`, `prospects`, `airports`, `index`, `activities`, `reminders` and
/// `me`, each alone or with `:read` or `:write`; `read` for all reading; `all`; `metrics`.
public struct ScopeSet: Hashable, Sendable {
    /// A domain of data.
    public enum Domain: String, Sendable, CaseIterable {
        /// Contacts.
        case contacts
        /// Prospects.
        case prospects
        /// The person's recently chosen airports.
        case airports
        /// Items of the searchable index.
        case index
        /// Activities.
        case activities
        /// Reminders and their calendar.
        case reminders
        /// The person's own badge and settings.
        case me
    }

    /// A kind of access.
    public enum Use: String, Sendable, CaseIterable {
        /// Reading.
        case read
        /// Writing.
        case write
    }

    /// The scopes, without duplicates, in the order of ``known``.
    public let words: [String]

    /// Full access.
    public static let all = ScopeSet(words: ["all"])

    /// All scopes.
    public static var known: [String] {
        Domain.allCases.flatMap { domain in
            [domain.rawValue] + Use.allCases.map { "\(domain.rawValue):\($0.rawValue)" }
        } + ["read", "all", "metrics"]
    }

    private init(words: [String]) {
        self.words = words
    }

    /// Parses the text form.
    ///
    /// - Throws: ``AccountsError/unknownScope(_:)``, including for an empty string.
    public init(parsing text: String) throws(AccountsError) {
        var words: Set<String> = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let word = String(part.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
            guard Self.known.contains(word) else { throw .unknownScope(word) }
            words.insert(word)
        }
        self.words = Self.known.filter(words.contains)
    }

    /// Returns whether the scopes permit a kind of access to a domain.
    public func permits(_ use: Use, of domain: Domain) -> Bool {
        words.contains { word in
            word == "all" || word == domain.rawValue || word == "\(domain.rawValue):\(use.rawValue)"
                || (use == .read && word == "read")
        }
    }

    /// `true` for full access.
    public var isAll: Bool { words.contains("all") }

    /// `true` if the scopes permit reading metrics.
    public var permitsMetrics: Bool { isAll || words.contains("metrics") }

    /// The text form.
    public var text: String { words.joined(separator: ",") }
}
