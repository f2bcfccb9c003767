import Foundation
import SwitchboardBadges
import SwitchboardTestFixtures
import SwitchboardTesting

/// Runs scenarios through the HTTP API of a server.
struct ServerDriver: ScenarioDriver {
    let server: LiveServer
    let token: String

    func perform(_ step: Scenario.Step, until isExpected: (Observation) -> Bool) throws -> Observation {
        switch step.action {
        case .importContacts, .addContact, .removeContact, .findContacts, .dialContacts, .find:
            try performContacts(step)
        case .searchAirports, .nearestAirports, .chooseAirport, .recentAirports: try performAirports(step)
        case .scanBadge, .listProspects, .markContacted, .remind, .listReminders: try performProspects(step)
        case .putItems, .searchItems, .queryItems, .beginActivity, .currentActivity, .continueActivity:
            try performItems(step)
        }
    }

    private func performContacts(_ step: Scenario.Step) throws -> Observation {
        switch step.action {
        case .importContacts:
            let body = Array(step.document(SampleData.vCards).utf8)
            return try ask("POST", "/v1/contacts/import", type: "text/vcard", body)
        case .addContact:
            var contact: [String: Any] = ["name": step.text]
            contact["phones"] = step.options["phone"].map { [$0] }
            contact["emails"] = step.options["email"].map { [$0] }
            return try ask("POST", "/v1/contacts", contact)
        case .removeContact:
            return try named(step.text, "/v1/contacts?limit=100") { try ask("DELETE", "/v1/contacts/\($0)") }
        case .dialContacts: return try ask("GET", "/v1/contacts?keypad=" + escaped(step.text))
        case .find: return try ask("GET", "/v1/find?q=" + escaped(step.text))
        default: return try ask("GET", "/v1/contacts?q=" + escaped(step.text))
        }
    }

    private func performAirports(_ step: Scenario.Step) throws -> Observation {
        switch step.action {
        case .nearestAirports:
            let place = step.text.split(separator: ",", maxSplits: 1).map(String.init)
            let (latitude, longitude) = (place.first ?? "", place.dropFirst().first ?? "")
            return try ask("GET", "/v1/airports/nearest?lat=\(escaped(latitude))&lon=\(escaped(longitude))")
        case .chooseAirport: return try ask("POST", "/v1/airports/recent", ["code": step.text])
        case .recentAirports: return try ask("GET", "/v1/airports/recent")
        default: return try ask("GET", "/v1/airports?q=" + escaped(step.text))
        }
    }

    private func performProspects(_ step: Scenario.Step) throws -> Observation {
        let list = "/v1/prospects?limit=100"
        switch step.action {
        case .scanBadge:
            let picture = try QRCode(step.document(SampleData.badge)).png()
            return try ask("POST", "/v1/prospects/scan", type: "image/png", picture)
        case .markContacted:
            return try named(step.text, list) { try ask("PATCH", "/v1/prospects/\($0)", ["contacted": true]) }
        case .remind:
            return try named(step.text, list) { id in
                _ = try ask("PUT", "/v1/access/notifications", ["status": "authorized"])
                return try ask("PUT", "/v1/prospects/\(id)/reminder", [:])
            }
        case .listReminders: return try ask("GET", "/v1/reminders") { $0["state"] as? String == "pending" }
        default: return try ask("GET", "\(list)&filter=\(step.options["filter"] ?? "everyone")")
        }
    }

    private func performItems(_ step: Scenario.Step) throws -> Observation {
        switch step.action {
        case .putItems:
            let body = Array(step.document(SampleData.items).utf8)
            return try ask("PUT", "/v1/index/items", type: "application/json", body)
        case .searchItems: return try ask("GET", "/v1/index/search?q=" + escaped(step.text))
        case .queryItems: return try ask("GET", "/v1/index/query?expression=" + escaped(step.text))
        case .beginActivity:
            return try ask("POST", "/v1/activities", type: "application/json", Array(step.text.utf8))
        case .continueActivity:
            return try named(step.text, "/v1/activities") { try ask("POST", "/v1/activities/\($0)/engage") }
        default:
            return try ask("GET", "/v1/activities") {
                ($0["activity"] as? [String: Any])?["isCurrent"] as? Bool == true
            }
        }
    }

    // MARK: - Requests

    private func ask(_ method: String, _ target: String, _ object: [String: Any]) throws -> Observation {
        try ask(
            method, target, type: "application/json", Array(try JSONSerialization.data(withJSONObject: object)))
    }

    private func ask(
        _ method: String, _ target: String, type: String? = nil, _ body: [UInt8]? = nil,
        where isMeant: ([String: Any]) -> Bool = { _ in true }
    ) throws -> Observation {
        let reply = try server.ask(
            method, target, token: token, headers: type.map { ["Content-Type: \($0)"] } ?? [], body: body)
        guard reply.status < 400 else { return Observation(refusal: reply.text) }
        return Observation(titles: Rows(json: reply.text).all.filter(isMeant).compactMap { $0["title"] as? String })
    }

    private func named(
        _ title: String, _ list: String, _ body: (String) throws -> Observation
    ) throws -> Observation {
        guard let id = Rows(json: try server.ask("GET", list, token: token).text).id(of: title) else {
            return Observation(refusal: "no object has the title \(title)")
        }
        return try body(id)
    }

    /// Percent-encodes a query value.
    private func escaped(_ text: String) -> String {
        text.utf8.map { byte in
            let isPlain = (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
            let hex = String(byte, radix: 16)
            return isPlain ? String(UnicodeScalar(byte)) : "%" + (hex.count == 1 ? "0" : "") + hex
        }.joined()
    }
}
