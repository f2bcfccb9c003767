import Airports
import Dispatch
import LookupEngine
import Prospects
import SearchableIndex
import Switchboard
import Synchronization
import TerminalInterface

/// Searches one after the other; a new one ends the one before.
final class SearchQueue: Sendable {
    private let switchboard: Switchboard
    private let mailbox: Mailbox
    private let queue = DispatchQueue(label: "Searches", qos: .userInteractive)
    /// The ticket of the search that counts.
    private let current = Atomic(0)

    init(_ switchboard: Switchboard, mailbox: Mailbox) {
        self.switchboard = switchboard
        self.mailbox = mailbox
    }

    /// Begins a search.
    func begin(_ search: Search) {
        current.store(search.ticket, ordering: .releasing)
        queue.async { self.run(search) }
    }

    /// Ends what is going on.
    func end() { current.store(-1, ordering: .releasing) }

    private func isCurrent(_ search: Search) -> Bool { current.load(ordering: .acquiring) == search.ticket }

    private func run(_ search: Search) {
        guard isCurrent(search) else { return }
        do {
            try answer(search)
        } catch is LookupCancelled {
            // A newer one is on its way.
        } catch {
            mailbox.post(
                .found(Found(ticket: search.ticket, rows: [], failure: Fault(error).description)))
        }
    }

    private func answer(_ search: Search) throws {
        let isCancelled: Switchboard.CancellationCheck = { !self.isCurrent(search) }
        switch search.tab {
        case .find:
            let answer = try switchboard.find(
                search.text, keypad: search.isKeypad, limit: search.limit, isCancelled: isCancelled)
            post(search, answer)
        case .contacts:
            try post(
                search,
                search.isKeypad
                    ? switchboard.dialContacts(search.text, limit: search.limit, isCancelled: isCancelled)
                    : switchboard.findContacts(search.text, limit: search.limit, isCancelled: isCancelled))
        case .prospects:
            let clock = ContinuousClock()
            let start = clock.now
            let rows = try switchboard.listProspects(
                matching: search.text, search.filter, sortedBy: search.order, limit: search.limit,
                isCancelled: isCancelled)
            post(search, rows.map { Row(.result($0)) }, elapsed: clock.now - start)
        case .airports: try searchAirports(search, isCancelled)
        case .activity:
            let activities = try switchboard.findActivities(search.text)
            mailbox.post(.found(Found(ticket: search.ticket, rows: activities.map { Row(.activity($0)) })))
        }
    }

    private func searchAirports(_ search: Search, _ isCancelled: @escaping Switchboard.CancellationCheck) throws {
        guard search.text.contains(where: { !$0.isWhitespace }) else {
            let offer = try switchboard.airportOffer()
            let rows =
                offer.nearest.map { Row(.result($0), section: "Nearest") }
                + offer.recent.map { Row(.result($0), section: "Last chosen") }
                + offer.popular.map { Row(.result($0), section: "Popular") }
            mailbox.post(.found(Found(ticket: search.ticket, rows: rows)))
            return
        }
        // The popular ones are there before the whole catalogue was gone through.
        let first = try switchboard.searchAirports(
            search.text, limit: search.limit, stage: 1, isCancelled: isCancelled)
        if !first.isFinal, !first.results.isEmpty { post(search, first, isFinal: false) }
        post(search, try switchboard.searchAirports(search.text, limit: search.limit, isCancelled: isCancelled))
    }

    private func post(_ search: Search, _ answer: SearchAnswer, isFinal: Bool = true) {
        post(search, answer.results.map { Row(.result($0)) }, elapsed: answer.elapsed, isFinal: isFinal)
    }

    private func post(_ search: Search, _ rows: [Row], elapsed: Duration, isFinal: Bool = true) {
        mailbox.post(
            .found(
                Found(
                    ticket: search.ticket, rows: rows, isFinal: isFinal,
                    hasMore: search.limit > 0 && rows.count >= search.limit, elapsed: elapsed)))
    }
}
