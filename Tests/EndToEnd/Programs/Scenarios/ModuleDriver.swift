import SwitchboardAirports
import SwitchboardBadges
import SwitchboardContacts
import SwitchboardKeypad
import SwitchboardKit
import SwitchboardProspects
import SwitchboardReminders
import SwitchboardSearchableIndex
import SwitchboardStorage
import SwitchboardTesting

/// A driver that calls the modules directly, the reference for all other drivers.
struct ModuleDriver: ScenarioDriver {
    let switchboard: Switchboard

    /// Performs a step; errors of the modules are observations.
    func perform(_ step: Scenario.Step, until isExpected: (Observation) -> Bool) throws -> Observation {
        do {
            return Observation(titles: try titles(after: step))
        } catch {
            return Observation(refusal: SwitchboardError(error).message)
        }
    }

    private func titles(after step: Scenario.Step) throws -> [String] {
        let text = step.text
        switch step.action {
        case .importContacts:
            let source = ImportSource.bytes(Array(step.document(SampleData.vCards).utf8), name: "scenario.vcf")
            if let skipped = try switchboard.contacts.importContacts(from: [source]).skipped.first {
                throw SwitchboardError(code: "malformedInput", message: skipped.reason, status: .malformed)
            }
            return []
        case .addContact:
            var change = ContactChange()
            change.name = text
            change.phones = step.options["phone"].map { [$0] }
            change.emails = step.options["email"].map { [$0] }
            return [try switchboard.addContact(change).displayName]
        case .removeContact:
            let all = try switchboard.contacts.list()
            try switchboard.contacts.remove([
                try Scenario.identifier(of: text, in: all.map { ($0.displayName, $0.id) })
            ])
            return []
        case .findContacts: return try switchboard.searchContacts(SearchInput(text)).results.map(\.title)
        case .dialContacts: return try switchboard.searchContacts(SearchInput(keys: text)).results.map(\.title)
        case .find: return try switchboard.search(SearchInput(text)).results.map(\.title)
        case .searchAirports: return try switchboard.searchAirports(SearchInput(text)).results.map(\.title)
        case .nearestAirports:
            return try switchboard.nearestAirports(to: Coordinate(parsing: text), query: text).results.map(\.title)
        case .chooseAirport:
            _ = try switchboard.airports.choose(text)
            return []
        case .recentAirports: return try switchboard.recentAirports().map(\.title)
        case .scanBadge:
            var scan = BadgeScan()
            try scan.read(try QRCode(step.document(SampleData.badge)).png(), named: "badge.png")
            return try scan.finish(into: switchboard).added.map(\.prospect.displayName)
        case .listProspects:
            let filter = ProspectFilter(rawValue: step.options["filter"] ?? "everyone") ?? .everyone
            return try switchboard.prospects.list(filter).map(\.displayName)
        case .markContacted: return try switchboard.setContacted([try prospect(text)]).map(\.displayName)
        case .remind:
            try switchboard.storage.setStatus(.authorized, of: .notifications)
            return [try switchboard.remind(of: try prospect(text)).reminder.title]
        case .listReminders: return try switchboard.reminders.list([.pending]).map(\.title)
        case .putItems:
            try switchboard.items().put(json: Array(step.document(SampleData.items).utf8))
            return []
        case .searchItems: return try switchboard.searchItems(SearchInput(text)).results.map(\.title)
        case .queryItems: return try switchboard.queryItems(text).results.map(\.title)
        case .beginActivity:
            let activity = try UserActivity(json: Array(text.utf8))
            return [ActivityRow(try switchboard.activities.becomeCurrent(activity)).title]
        case .currentActivity: return try switchboard.activities.current().map { [ActivityRow($0).title] } ?? []
        case .continueActivity:
            let all = try switchboard.activities.list().map { (ActivityRow($0).title, $0.id) }
            return [try switchboard.continueActivity(try Scenario.identifier(of: text, in: all)).activity.title ?? ""]
        }
    }

    private func prospect(_ name: String) throws -> String {
        try Scenario.identifier(of: name, in: try switchboard.prospects.list().map { ($0.displayName, $0.id) })
    }
}

extension Scenario {
    /// Returns the identifier of the object with a title.
    ///
    /// - Throws: `SwitchboardError` if no object has the title.
    fileprivate static func identifier(of title: String, in all: [(title: String, id: String)]) throws -> String {
        guard let found = all.first(where: { $0.title == title }) else {
            throw SwitchboardError(code: "notFound", message: "nothing has the title “\(title)”", status: .nothingFound)
        }
        return found.id
    }
}
