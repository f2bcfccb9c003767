import Foundation
import SwitchboardContacts
import SwitchboardKit
import SwitchboardProspects
import SwitchboardStorage

@testable import SwitchboardAirports
@testable import SwitchboardTerminalInterface

extension Interface {
    /// Handles an event of an unhurried user, who sees each screen for a second.
    @discardableResult
    mutating func handle(_ event: Event) -> [Request] {
        handle(.drawn, at: time) + handle(event, at: time + .seconds(1))
    }

    /// Presses keys and returns the requests in order.
    @discardableResult
    mutating func press(_ keys: Key...) -> [Request] { keys.flatMap { handle(.key($0)) } }

    /// Types a text and returns the requests in order.
    @discardableResult
    mutating func type(_ text: String) -> [Request] { text.flatMap { handle(.key(.character($0))) } }

    /// Responds to the last search with rows, and returns the next requests.
    @discardableResult
    mutating func answer(_ requests: [Request], _ rows: [Row], hasMore: Bool = false) -> [Request] {
        guard let search = requests.searches.last else { return [] }
        return handle(.searchUpdated(SearchUpdate(ticket: search.ticket, rows: rows, hasMore: hasMore)))
    }

    /// Opens a tab and fills its list.
    mutating func go(to number: Character, _ rows: [Row]) {
        answer(press(.alt(number)), rows)
    }

    /// The rows of the screen.
    var lines: [String] { screen().text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
}

extension [Request] {
    var searches: [Search] {
        compactMap { if case .search(let search) = $0 { search } else { nil } }
    }

    var edits: [EditCommand] {
        compactMap { if case .perform(let edit, _) = $0 { edit } else { nil } }
    }

    var quits: Bool { contains { if case .quit = $0 { true } else { false } } }
}

/// Returns a switchboard with a temporary database.
func scratchSwitchboard() -> Switchboard {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tui-" + UUID().uuidString).path
    return Switchboard(Settings(database: folder + "/people.sqlite", region: "GB"))
}

func contactRow(_ name: String, id: String, phone: String = "+44 7700 900177") -> Row {
    var contact = Contact(id: id, name: PersonName(splitting: name))
    contact.phones = [Phone(label: "mobile", number: PhoneNumber(phone))]
    return Row(.result(SearchResult(contact)))
}

func contactRow(_ contact: Contact) -> Row { Row(.result(SearchResult(contact))) }

func airportRow(_ code: String, _ name: String, latitude: Double = 50, longitude: Double = 8) -> Row {
    let airport = Airport(
        code: code, name: name, city: name, cityCode: code, country: "DE", latitude: latitude, longitude: longitude,
        timeZone: "Europe/Berlin", popularity: 0.5)
    return Row(
        .result(SearchResult(id: code, title: name, subtitle: "Germany", object: .airport(airport, airports: []))))
}

func prospectRow(_ name: String, in switchboard: Switchboard) throws -> Row {
    var change = ProspectChange()
    (change.name, change.email) = (name, "someone@example.org")
    return Row(.result(SearchResult(try switchboard.addProspect(change).prospect)))
}
