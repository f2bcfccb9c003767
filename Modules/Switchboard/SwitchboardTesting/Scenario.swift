public import Foundation

/// A sequence of user actions and the expected results, independent of the front end.
///
/// A scenario is JSON (see `docs/testing.md`), so one file runs against the modules, a command line, a server and a
/// terminal, through a ``ScenarioDriver`` for each.
public struct Scenario: Codable, Sendable {
    /// The title, which describes the tested behavior.
    public var title: String
    /// The steps, in order.
    public var steps: [Step]

    /// Creates a scenario.
    public init(title: String, steps: [Step]) {
        self.title = title
        self.steps = steps
    }

    /// Decodes a scenario.
    ///
    /// - Throws: `DecodingError` if the JSON is invalid.
    public init(json: Data) throws {
        self = try JSONDecoder().decode(Scenario.self, from: json)
    }

    /// The scenarios that all front ends of Switchboard pass, by name.
    public static let shared: [String: Data] = [
        "airports": Data(PackageResources.airports_json), "changes": Data(PackageResources.changes_json),
        "contacts": Data(PackageResources.contacts_json), "event": Data(PackageResources.event_json),
        "items": Data(PackageResources.items_json),
    ]

    /// A step: an action and its expected result.
    public struct Step: Codable, Sendable {
        /// The action.
        public var action: Action
        /// The argument of the action: typed text, a name, a code or a document; see ``Action``.
        public var text: String
        /// The options of the action; see ``Action``.
        public var options: [String: String]
        /// The expected result.
        public var expect: Expectation

        /// Creates a step.
        public init(_ action: Action, _ text: String = "", options: [String: String] = [:], expect: Expectation) {
            self.action = action
            self.text = text
            self.options = options
            self.expect = expect
        }

        private enum CodingKeys: String, CodingKey { case action = "do", text, options, expect }

        /// Decodes a step; only `do` is required.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            action = try container.decode(Action.self, forKey: .action)
            text = try container.decodeIfPresent(String.self, forKey: .text) ?? ""
            options = try container.decodeIfPresent([String: String].self, forKey: .options) ?? [:]
            expect = try container.decodeIfPresent(Expectation.self, forKey: .expect) ?? Expectation()
        }

        /// Returns the text of the step, or `sample` if the text is "sample".
        public func document(_ sample: String) -> String { text == "sample" ? sample : text }
    }

    /// The actions. Contacts and prospects are identified by their full names, other objects by their titles, airports
    /// by their codes.
    public enum Action: String, Codable, Sendable, CaseIterable {
        /// Imports vCards; `sample` is ``SampleData/vCards``.
        case importContacts
        /// Adds a contact with this name; options `phone`, `email`.
        case addContact
        /// Removes a contact.
        case removeContact
        /// Searches contacts by text.
        case findContacts
        /// Searches contacts by keypad.
        case dialContacts
        /// Searches everything by text.
        case find
        /// Searches airports by text.
        case searchAirports
        /// Lists airports near a place, "latitude,longitude".
        case nearestAirports
        /// Chooses an airport.
        case chooseAirport
        /// Lists the last five chosen airports.
        case recentAirports
        /// Scans a badge with this text in its code; `sample` is ``SampleData/badge``.
        case scanBadge
        /// Lists prospects; option `filter` is `everyone`, `contacted` or `uncontacted`.
        case listProspects
        /// Marks a prospect as contacted.
        case markContacted
        /// Grants notifications and sets a reminder for a prospect at the next nine o'clock.
        case remind
        /// Lists pending reminders.
        case listReminders
        /// Puts items, a JSON array; `sample` is ``SampleData/items``.
        case putItems
        /// Searches items by text.
        case searchItems
        /// Searches items by an expression of the query language.
        case queryItems
        /// Begins an activity, a JSON object.
        case beginActivity
        /// Returns the current activity.
        case currentActivity
        /// Continues the activity with this title.
        case continueActivity
    }
}

/// The expected result of a step; every non-nil part must match.
public struct Expectation: Codable, Sendable, Hashable {
    /// All titles, in order.
    public var titles: [String]?
    /// The first titles, in order.
    public var first: [String]?
    /// Titles that must be present.
    public var includes: [String]?
    /// Titles that must be absent.
    public var excludes: [String]?
    /// `true` if the step must fail.
    public var isRefused: Bool?

    /// Creates an expectation.
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

    /// Returns a one-line description of the mismatch with an observation; nil if it matches.
    public func mismatch(with seen: Observation) -> String? {
        if (seen.refusal != nil) != (isRefused ?? false) {
            return seen.refusal.map { "failed: \($0)" } ?? "did not fail"
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

/// The result of a step.
public struct Observation: Sendable, Hashable {
    /// The titles of the rows, in order.
    public var titles: [String]
    /// The error message if the step failed.
    public var refusal: String?

    /// Creates an observation.
    public init(titles: [String] = [], refusal: String? = nil) {
        self.titles = titles
        self.refusal = refusal
    }
}

/// An adapter that runs scenarios against a front end.
public protocol ScenarioDriver {
    /// Performs a step and returns the result.
    ///
    /// - Parameters:
    ///   - step: The step.
    ///   - isExpected: Returns `true` for the expected result. A driver of an asynchronous front end polls until the
    ///     result is the expected one or a timeout expires; other drivers need not call it.
    /// - Throws: An error if the step cannot be performed. An error from the front end is an observation instead.
    func perform(_ step: Scenario.Step, until isExpected: (Observation) -> Bool) throws -> Observation
}

extension Scenario {
    /// Runs all steps in order.
    ///
    /// - Returns: A line for each mismatch, such as `2. dialContacts 5646: [] instead of ["Zoë Jogo"]`.
    /// - Throws: The errors of the driver.
    public func run(with driver: some ScenarioDriver) throws -> [String] {
        var mismatches: [String] = []
        for (index, step) in steps.enumerated() {
            let seen = try driver.perform(step) { step.expect.mismatch(with: $0) == nil }
            if let mismatch = step.expect.mismatch(with: seen) {
                mismatches.append("\(index + 1). \(step.action.rawValue) \(step.text.prefix(40)): \(mismatch)")
            }
        }
        return mismatches
    }
}
