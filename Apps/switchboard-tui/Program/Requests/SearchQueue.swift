import Dispatch
import SwitchboardAirports
import SwitchboardKeypad
import SwitchboardKit
import SwitchboardProspects
import SwitchboardSearchEngine
import SwitchboardSearchableIndex
import SwitchboardTerminalInterface
import Synchronization

extension Search {
    /// The typed text or digits.
    fileprivate func input() throws(KeypadQueryError) -> SearchInput { try SearchInput(text, keypad: isKeypad) }
}

/// A serial queue of searches; a new search cancels the previous one.
final class SearchQueue: Sendable {
    private let switchboard: Switchboard
    private let events: EventQueue
    private let queue = DispatchQueue(label: "Searches", qos: .userInteractive)
    /// The ticket of the latest search.
    private let current = Atomic(0)

    /// The server with further airports, and the queue for its requests, which never delay a search.
    private let server: AirportServer?
    private let serverQueue = DispatchQueue(label: "Server", qos: .userInitiated)

    init(_ switchboard: Switchboard, _ server: AirportServer?, events: EventQueue) {
        self.switchboard = switchboard
        self.server = server
        self.events = events
    }

    /// Starts a search.
    func start(_ search: Search) {
        current.store(search.ticket, ordering: .releasing)
        queue.async { self.run(search) }
    }

    /// Cancels the current search.
    func cancel() { current.store(-1, ordering: .releasing) }

    private func isCurrent(_ search: Search) -> Bool { current.load(ordering: .acquiring) == search.ticket }

    private func run(_ search: Search) {
        guard isCurrent(search) else { return }
        do {
            try answer(search)
        } catch is CancellationError {
            // A newer search replaced this one.
        } catch {
            events.post(
                .searchUpdated(
                    SearchUpdate(ticket: search.ticket, rows: [], failure: SwitchboardError(error).description)))
        }
    }

    private func answer(_ search: Search) throws {
        let isCancelled: Switchboard.CancellationCheck = { !self.isCurrent(search) }
        switch search.tab {
        case .find:
            post(search, try switchboard.search(search.input(), limit: search.limit, isCancelled: isCancelled))
        case .contacts:
            post(search, try switchboard.searchContacts(search.input(), limit: search.limit, isCancelled: isCancelled))
        case .prospects:
            let clock = ContinuousClock()
            let start = clock.now
            let rows =
                try search.input().isEmpty && !search.isKeypad
                ? switchboard.prospects.list(
                    search.filter, sortedBy: search.order, limit: search.limit == 0 ? nil : search.limit
                ).map { SearchResult($0) }
                : switchboard.searchProspects(
                    search.input(), filter: search.filter, limit: search.limit, isCancelled: isCancelled
                ).results
            post(search, rows.map { Row(.result($0)) }, elapsed: clock.now - start)
        case .airports: try searchAirports(search, isCancelled)
        case .activity:
            let activities = try switchboard.searchActivities(search.text)
            events.post(
                .searchUpdated(SearchUpdate(ticket: search.ticket, rows: activities.map { Row(.activity($0)) })))
        }
    }

    private func searchAirports(_ search: Search, _ isCancelled: @escaping Switchboard.CancellationCheck) throws {
        guard search.text.contains(where: { !$0.isWhitespace }) else {
            let suggestions = try switchboard.airportSuggestions()
            let rows =
                suggestions.nearest.map { Row(.result($0), section: "Nearest") }
                + suggestions.recent.map { Row(.result($0), section: "Recent") }
                + suggestions.popular.map { Row(.result($0), section: "Popular") }
            events.post(.searchUpdated(SearchUpdate(ticket: search.ticket, rows: rows)))
            return
        }
        // Popular airports are shown before the whole catalogue has been searched.
        let answer = try switchboard.searchAirports(search.input(), limit: search.limit, isCancelled: isCancelled) {
            self.post(search, $0, isFinal: false)
        }
        guard let server, Switchboard.asksServer(toComplete: answer, limit: search.limit)
        else { return post(search, answer) }
        post(search, answer, isFinal: false, remote: "searching the server…")
        serverQueue.async { self.ask(server, search, answer, isCancelled) }
    }

    /// Adds the server's airports to the results, and reports their number or the error.
    private func ask(
        _ server: AirportServer, _ search: Search, _ answer: SearchResponse,
        _ isCancelled: @escaping Switchboard.CancellationCheck
    ) {
        guard isCurrent(search),
            let completed = try? switchboard.completing(
                answer, limit: search.limit, from: server, isCancelled: isCancelled)
        else { return }
        let known = Set(answer.results.map(\.link.url))
        let added = completed.response.results.count { !known.contains($0.link.url) }
        var remote = added == 0 ? "server: no more results" : "server: \(added) more"
        if let error = completed.error {
            let address = server.address + ": "
            let reason = error.message.hasPrefix(address) ? error.message.dropFirst(address.count) : error.message[...]
            remote = "server: \(reason)"
        }
        post(search, completed.response, remote: remote)
    }

    private func post(_ search: Search, _ answer: SearchResponse, isFinal: Bool = true, remote: String? = nil) {
        post(search, answer.results.map { Row(.result($0)) }, elapsed: answer.elapsed, isFinal: isFinal, remote: remote)
    }

    private func post(
        _ search: Search, _ rows: [Row], elapsed: Duration, isFinal: Bool = true, remote: String? = nil
    ) {
        events.post(
            .searchUpdated(
                SearchUpdate(
                    ticket: search.ticket, rows: rows, isFinal: isFinal,
                    hasMore: search.limit > 0 && rows.count >= search.limit, elapsed: elapsed, remote: remote)))
    }
}
