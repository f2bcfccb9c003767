public import Foundation

/// What somebody does with any front end, step by step, and what they see after each.
///
/// A scenario is data, in JSON (`docs/testing.md` has the form), so that one file is run through the modules themselves
/// (``ModuleDriver``), a command line, a server and a terminal alike: whatever is a ``ScenarioDriver``.
public struct Scenario: Codable, Sendable {
    /// What it shows, in a sentence.
    public var title: String
    /// The steps in order.
    public var steps: [Step]

    /// A scenario; see the properties.
    public init(title: String, steps: [Step]) {
        self.title = title
        self.steps = steps
    }

    /// Reads a scenario.
    ///
    /// - Throws: `DecodingError` if the JSON is no scenario.
    public init(json: Data) throws {
        self = try JSONDecoder().decode(Scenario.self, from: json)
    }

    /// One thing that is done.
    public struct Step: Codable, Sendable {
        /// What is done.
        public var action: Action
        /// The text of the action: what is typed, a name, a code, or a document; see ``Action``.
        public var text: String
        /// What else the action takes; see ``Action``.
        public var options: [String: String]
        /// What is to be seen then.
        public var expect: Expectation

        /// A step; see the properties.
        public init(_ action: Action, _ text: String = "", options: [String: String] = [:], expect: Expectation) {
            self.action = action
            self.text = text
            self.options = options
            self.expect = expect
        }

        private enum CodingKeys: String, CodingKey { case action = "do", text, options, expect }

        /// Reads a step; only `do` has to be there.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            action = try container.decode(Action.self, forKey: .action)
            text = try container.decodeIfPresent(String.self, forKey: .text) ?? ""
            options = try container.decodeIfPresent([String: String].self, forKey: .options) ?? [:]
            expect = try container.decodeIfPresent(Expectation.self, forKey: .expect) ?? Expectation()
        }
    }

    /// What can be done. Whoever is meant is named by their whole name; things are named by their titles, airports by their codes.
    public enum Action: String, Codable, Sendable, CaseIterable {
        /// Imports vCards; `sample` stands for ``SampleData/vCards``.
        case importContacts
        /// Adds a contact of this name; options `phone`, `email`.
        case addContact
        /// Removes a contact.
        case removeContact
        /// Contacts by text.
        case findContacts
        /// Contacts by keypad.
        case dialContacts
        /// Everything by text.
        case find
        /// Airports by text.
        case searchAirports
        /// Airports near a place, "latitude,longitude".
        case nearestAirports
        /// Chooses an airport.
        case chooseAirport
        /// The last five chosen.
        case recentAirports
        /// Reads a badge with this text in its code; `sample` stands for ``SampleData/badge``.
        case scanBadge
        /// Prospects; option `filter` is `everyone`, `contacted` or `uncontacted`.
        case listProspects
        /// Notes that a prospect was contacted.
        case markContacted
        /// Sets a reminder of a prospect at the next nine o'clock, and allows notifications.
        case remind
        /// Reminders that are pending.
        case listReminders
        /// Puts items, a JSON array; `sample` stands for ``SampleData/items``.
        case putItems
        /// Items by text.
        case searchItems
        /// Items by an expression of the query language.
        case queryItems
        /// Begins an activity, a JSON object.
        case beginActivity
        /// The current activity.
        case currentActivity
        /// Goes on with the activity of this title.
        case continueActivity
    }
}

/// What is to be seen after a step: each part that is there has to hold.
public struct Expectation: Codable, Sendable, Hashable {
    /// All titles, in order.
    public var titles: [String]?
    /// The first titles, in order.
    public var first: [String]?
    /// Titles that are somewhere among them.
    public var includes: [String]?
    /// Titles that are not among them.
    public var excludes: [String]?
    /// Whether the step is refused; false unless said.
    public var isRefused: Bool?

    /// An expectation; see the properties.
    public init(
        titles: [String]? = nil, first: [String]? = nil, includes: [String]? = nil, excludes: [String]? = nil,
        isRefused: Bool? = nil
    ) {
        self.titles = titles
        self.first = first
        self.includes = includes
        self.excludes = excludes
        self.isRefused = isRefused
    }

    private enum CodingKeys: String, CodingKey { case titles, first, includes, excludes, isRefused = "refused" }

    /// Every title that is mentioned.
    public var mentioned: [String] { [titles, first, includes, excludes].flatMap { $0 ?? [] } }

    /// What is not as expected, in one line; nil if all is.
    public func mismatch(with seen: Observation) -> String? {
        if (seen.refusal != nil) != (isRefused ?? false) {
            return seen.refusal.map { "refused: \($0)" } ?? "not refused"
        }
        if let titles, seen.titles != titles { return "\(seen.titles) instead of \(titles)" }
        if let first, Array(seen.titles.prefix(first.count)) != first {
            return "\(seen.titles) does not begin with \(first)"
        }
        if let missing = includes?.first(where: { !seen.titles.contains($0) }) {
            return "no \(missing) in \(seen.titles)"
        }
        if let extra = excludes?.first(where: { seen.titles.contains($0) }) { return "\(extra) in \(seen.titles)" }
        return nil
    }
}

/// What was seen after a step.
public struct Observation: Sendable, Hashable {
    /// The titles of the rows, in order.
    public var titles: [String]
    /// Why the step was refused; nil if it was not.
    public var refusal: String?

    /// What was seen; see the properties.
    public init(titles: [String] = [], refusal: String? = nil) {
        self.titles = titles
        self.refusal = refusal
    }
}
