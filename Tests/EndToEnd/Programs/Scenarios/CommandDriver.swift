import Foundation
import SwitchboardBadges
import SwitchboardTesting

/// Runs scenarios through the command line, one process per step.
struct CommandDriver: ScenarioDriver {
    let bench: Bench

    func perform(_ step: Scenario.Step, until isExpected: (Observation) -> Bool) throws -> Observation {
        switch step.action {
        case .importContacts:
            try change(["contacts", "import", "-"], input: step.document(SampleData.vCards))
        case .addContact:
            try change(
                ["contacts", "add", "--name", step.text] + flag("phone", step) + flag("email", step))
        case .removeContact: try named(step.text, in: ["contacts", "list"]) { try change(["contacts", "remove", $0]) }
        case .findContacts: try search(["contacts", "find", step.text])
        case .dialContacts: try search(["contacts", "dial", step.text])
        case .find: try search(["find", step.text])
        case .searchAirports: try search(["airports", "search", step.text])
        case .nearestAirports: try search(["airports", "nearest", step.text])
        case .chooseAirport: try change(["airports", "choose", step.text])
        case .recentAirports: try search(["airports", "recent"])
        case .scanBadge:
            try change([
                "prospects", "scan",
                try bench.file("badge.png", Data(try QRCode(step.document(SampleData.badge)).png())),
            ])
        case .listProspects:
            try search(["prospects", "list", "--filter", step.options["filter"] ?? "everyone"])
        case .markContacted: try prospect(step.text) { try change(["prospects", "contacted", $0]) }
        case .remind:
            try prospect(step.text) { id in
                _ = try change(["access", "grant", "notifications"])
                return try change(["prospects", "remind", id])
            }
        case .listReminders: try search(["reminders", "list"]) { $0["state"] as? String == "pending" }
        case .putItems: try change(["index", "put", "-"], input: step.document(SampleData.items))
        case .searchItems: try search(["index", "search", step.text])
        case .queryItems: try search(["index", "query", step.text])
        case .beginActivity: try change(["activity", "begin", "-"], input: step.text)
        case .currentActivity: try search(["activity", "current"])
        case .continueActivity:
            try named(step.text, in: ["activity", "list"]) { try change(["activity", "continue", $0]) }
        }
    }

    private func flag(_ name: String, _ step: Scenario.Step) -> [String] {
        step.options[name].map { ["--\(name)", $0] } ?? []
    }

    /// Runs a command that prints rows. Status 1 is not a refusal.
    private func search(_ command: [String], where isMeant: ([String: Any]) -> Bool = { _ in true }) throws
        -> Observation
    {
        let result = try bench.run(command + ["--json"])
        guard result.status == 0 || result.status == 1 else { return Observation(refusal: result.errors) }
        return Observation(titles: Rows(json: result.output).all.filter(isMeant).compactMap { $0["title"] as? String })
    }

    /// Runs a command that changes something.
    private func change(_ command: [String], input: String = "") throws -> Observation {
        let result = try bench.run(command + ["--json"], input: input)
        guard result.status == 0 else { return Observation(refusal: result.errors) }
        return Observation(titles: Rows(json: result.output).all.compactMap { $0["title"] as? String })
    }

    private func prospect(_ name: String, _ body: (String) throws -> Observation) throws -> Observation {
        try named(name, in: ["prospects", "list"], body)
    }

    private func named(
        _ title: String, in command: [String], _ body: (String) throws -> Observation
    ) throws -> Observation {
        let rows = Rows(json: try bench.run(command + ["--json"]).output)
        guard let id = rows.id(of: title) else { return Observation(refusal: "no object has the title \(title)") }
        return try body(id)
    }
}

/// The rows of a JSON response: those of a list, or the object of a change.
struct Rows {
    let all: [[String: Any]]

    init(json: String) {
        let object = (try? JSONSerialization.jsonObject(with: Data(json.utf8))) as? [String: Any] ?? [:]
        if let rows = object["results"] as? [[String: Any]] {
            all = rows
        } else {
            // A change contains the object under its kind; activities and reminders have a title of their own.
            let kinds = ["contact", "prospect", "reminder", "activity"]
            let thing = kinds.lazy.compactMap { object[$0] as? [String: Any] }.first ?? object
            let title = thing["title"] as? String ?? thing["name"] as? String
            all = title.map { [["title": $0, "id": object["id"] ?? ""]] } ?? []
        }
    }

    /// Returns the identifier of the row with a title.
    func id(of title: String) -> String? { all.first { $0["title"] as? String == title }?["id"] as? String }
}
