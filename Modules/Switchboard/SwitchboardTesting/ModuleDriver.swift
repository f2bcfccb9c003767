import SwitchboardAirports
import SwitchboardBadges
import SwitchboardContacts
import SwitchboardKeypad
public import SwitchboardKit
import SwitchboardProspects
import SwitchboardReminders
import SwitchboardSearchableIndex
import SwitchboardStorage

/// A driver that calls the modules directly, the reference for all other drivers.
public struct ModuleDriver: ScenarioDriver {
    private let switchboard: Switchboard

    /// Creates a driver for a switchboard.
    public init(_ switchboard: Switchboard) {
        self.switchboard = switchboard
    }

    /// Performs a step; errors of the modules are observations.
    public func perform(_ step: Scenario.Step, until isExpected: (Observation) -> Bool) throws -> Observation {
        do {
            return Observation(titles: try titles(after: step))
        } catch {
            return Observation(refusal: SwitchboardError(error).message)
        }
    }

    private func titles(after step: Scenario.Step) throws -> [String] {
        switch step.action {
        case .importContacts, .addContact, .removeContact, .findContacts, .dialContacts, .find:
            try contactTitles(after: step)
        case .searchAirports, .nearestAirports, .chooseAirport, .recentAirports: try airportTitles(after: step)
        case .scanBadge, .listProspects, .markContacted, .remind, .listReminders: try prospectTitles(after: step)
        case .putItems, .searchItems, .queryItems, .beginActivity, .currentActivity, .continueActivity:
            try itemTitles(after: step)
        }
    }

    private func contactTitles(after step: Scenario.Step) throws -> [String] {
        switch step.action {
        case .importContacts:
            let source = ImportSource.bytes(Array(step.document(SampleData.vCards).utf8), name: "scenario.vcf")
            if let skipped = try switchboard.contacts.importing([source]).skipped.first {
                throw SwitchboardError(code: "malformedInput", message: skipped.reason, status: .malformed)
            }
            return []
        case .addContact:
            var change = ContactChange()
            change.name = step.text
            change.phones = step.options["phone"].map { [$0] }
            change.emails = step.options["email"].map { [$0] }
            return [try switchboard.addContact(change).displayName]
        case .removeContact:
            let all = try switchboard.contacts.list()
            try switchboard.contacts.remove([
                try Scenario.identifier(of: step.text, in: all.map { ($0.displayName, $0.id) })
            ])
            return []
        case .dialContacts: return try switchboard.searchContacts(SearchInput(keys: step.text)).results.map(\.title)
        case .find: return try switchboard.search(SearchInput(step.text)).results.map(\.title)
        default: return try switchboard.searchContacts(SearchInput(step.text)).results.map(\.title)
        }
    }

    private func airportTitles(after step: Scenario.Step) throws -> [String] {
        switch step.action {
        case .nearestAirports:
            let numbers = step.text.split(separator: ",").compactMap { Double($0) }
            guard numbers.count == 2 else { throw SwitchboardError.usage("use latitude,longitude") }
            let place = try Coordinate(latitude: numbers[0], longitude: numbers[1])
            return try switchboard.nearestAirports(to: place, query: step.text).results.map(\.title)
        case .chooseAirport:
            _ = try switchboard.airports.choose(step.text)
            return []
        case .recentAirports: return try switchboard.recentAirports().map(\.title)
        default: return try switchboard.searchAirports(SearchInput(step.text)).results.map(\.title)
        }
    }

    private func prospectTitles(after step: Scenario.Step) throws -> [String] {
        switch step.action {
        case .scanBadge:
            var scan = BadgeScan()
            try scan.read(try QRCode(step.document(SampleData.badge)).png(), named: "badge.png")
            return try scan.finish(into: switchboard).added.map(\.prospect.displayName)
        case .markContacted:
            return try switchboard.setContacted([try prospect(step.text)]).map(\.displayName)
        case .remind:
            try switchboard.storage.setStatus(.authorized, of: .notifications)
            return [try switchboard.remind(of: try prospect(step.text)).reminder.title]
        case .listReminders: return try switchboard.reminders.list([.pending]).map(\.title)
        default:
            let filter = ProspectFilter(rawValue: step.options["filter"] ?? "everyone") ?? .everyone
            return try switchboard.prospects.list(filter).map(\.displayName)
        }
    }

    private func prospect(_ name: String) throws -> String {
        try Scenario.identifier(of: name, in: try switchboard.prospects.list().map { ($0.displayName, $0.id) })
    }

    private func itemTitles(after step: Scenario.Step) throws -> [String] {
        let activities = try switchboard.activities
        switch step.action {
        case .putItems:
            try switchboard.items().put(json: Array(step.document(SampleData.items).utf8))
            return []
        case .searchItems: return try switchboard.searchItems(SearchInput(step.text)).results.map(\.title)
        case .queryItems: return try switchboard.queryItems(step.text).results.map(\.title)
        case .beginActivity:
            return [ActivityRow(try activities.becomeCurrent(UserActivity(json: Array(step.text.utf8)))).title]
        case .continueActivity:
            let all = try activities.list().map { (ActivityRow($0).title, $0.id) }
            return [
                try switchboard.continueActivity(try Scenario.identifier(of: step.text, in: all)).activity.title ?? ""
            ]
        default: return try activities.current().map { [ActivityRow($0).title] } ?? []
        }
    }
}

extension Scenario.Step {
    /// Returns the text of the step, or `sample` if the text is "sample".
    public func document(_ sample: String) -> String { text == "sample" ? sample : text }
}

extension Scenario {
    /// Returns the identifier of the object with a title.
    ///
    /// - Throws: `SwitchboardError` if no object has the title.
    public static func identifier(of title: String, in all: [(title: String, id: String)]) throws -> String {
        guard let found = all.first(where: { $0.title == title }) else {
            throw SwitchboardError(code: "notFound", message: "nothing has the title “\(title)”", status: .nothingFound)
        }
        return found.id
    }
}
