import Dispatch
import SwitchboardContacts
import SwitchboardKeypad
import SwitchboardKit
import SwitchboardProspects
import SwitchboardReminders
import SwitchboardTerminalInterface
import Synchronization

extension RequestHandler {
    /// Starts a search, which cancels the previous one.
    func start(_ search: Search) {
        currentSearch.store(search.ticket, ordering: .releasing)
        explainDelay(of: search, after: Self.delayBeforeExplanation)
        searches.async {
            defer { self.answeredSearch.store(search.ticket, ordering: .releasing) }
            guard self.isCurrent(search) else { return }
            do {
                try self.answer(search)
            } catch is CancellationError {
                // A newer search replaced this one.
            } catch {
                self.post(SearchUpdate(ticket: search.ticket, rows: [], failure: SwitchboardError(error).description))
            }
        }
    }

    /// The delay before a slow search is explained; usually only the first search after an import is slow.
    private static let delayBeforeExplanation = DispatchTimeInterval.milliseconds(300)

    /// Reports at intervals that a search is waiting for its index, until it is answered or replaced.
    ///
    /// The progress is unknown: most of the time is spent on sorting, after all documents were read.
    private func explainDelay(of search: Search, after delay: DispatchTimeInterval, step: Int = 0, subject: String = "")
    {
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + delay) {
            guard self.isCurrent(search), self.answeredSearch.load(ordering: .acquiring) != search.ticket else {
                return
            }
            let subject = step == 0 ? self.indexedSubject(search) : subject
            let spinner = Self.spinner[step % Self.spinner.count]
            self.events.post(.searchDelayed(ticket: search.ticket, "\(spinner) indexing\(subject)…"))
            self.explainDelay(of: search, after: Self.spinnerInterval, step: step + 1, subject: subject)
        }
    }

    /// Returns a description of the objects that a search may be indexing, such as " 10000 contacts"; empty if unknown.
    private func indexedSubject(_ search: Search) -> String {
        switch search.tab {
        case .find where search.kinds.contains(.contact), .contacts:
            let count = (try? switchboard.contacts.count()) ?? 0
            return count > 0 ? " \(count) contacts" : ""
        case .airports: return " airports"
        default: return ""
        }
    }

    private static let spinner = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]
    private static let spinnerInterval = DispatchTimeInterval.milliseconds(120)

    private func isCurrent(_ search: Search) -> Bool { currentSearch.load(ordering: .acquiring) == search.ticket }

    private func answer(_ search: Search) throws {
        let isCancelled: Switchboard.CancellationCheck = { !self.isCurrent(search) }
        switch search.tab {
        case .airports: try searchAirports(search, isCancelled)
        case .activity:
            let activities = try switchboard.searchActivities(search.text)
            post(SearchUpdate(ticket: search.ticket, rows: activities.map { Row(.activity($0)) }))
        case .find, .contacts, .prospects:
            let found = try results(of: search, isCancelled)
            let isComplete = search.limit == 0 || found.count < search.limit
            let total = isComplete ? found.count : try storedCount(of: search)
            post(search, found, total: total)
            if total == nil { count(search, isCancelled) }
        }
    }

    /// Returns the results in Find, Contacts or Prospects.
    private func results(of search: Search, _ isCancelled: @escaping Switchboard.CancellationCheck) throws
        -> [SearchResult]
    {
        let (input, limit) = (try search.input, search.limit)
        switch search.tab {
        case .contacts:
            if input.isEmpty, let order = search.contactOrder {
                return try switchboard.contacts.list(
                    group: search.group, sortedBy: order, limit: limit == 0 ? nil : limit
                ).map { SearchResult($0) }
            }
            return try switchboard.searchContacts(input, group: search.group, limit: limit, isCancelled: isCancelled)
                .results
        case .prospects where input.isEmpty && !search.isKeypad:
            return try switchboard.prospects.list(
                search.filter, sortedBy: search.order, limit: limit == 0 ? nil : limit
            ).map { SearchResult($0) }
        case .prospects:
            return try switchboard.searchProspects(
                input, filter: search.filter, limit: limit, isCancelled: isCancelled
            ).results
        default:
            return try switchboard.search(input, kinds: search.kinds, limit: limit, isCancelled: isCancelled).results
        }
    }

    /// Returns all results in any order. Contacts come from the index, which is much faster than reading the database.
    func allResults(of search: Search, _ isCancelled: @escaping Switchboard.CancellationCheck) throws -> [SearchResult]
    {
        var search = search
        (search.limit, search.contactOrder) = (0, nil)
        return try results(of: search, isCancelled)
    }

    /// Returns the number of contacts or prospects listed for an empty text; nil if results must be counted.
    private func storedCount(of search: Search) throws -> Int? {
        guard try search.input.isEmpty else { return nil }
        switch search.tab {
        case .contacts:
            let book = try switchboard.contacts
            return try search.group.map { try book.count(inGroup: $0) } ?? book.count()
        case .prospects: return try switchboard.prospects.count(search.filter)
        default: return nil
        }
    }

    private func total(of search: Search, _ isCancelled: @escaping Switchboard.CancellationCheck) throws -> Int {
        var search = search
        var total = 0
        // An empty text lists everyone, so no search is necessary.
        if search.tab == .find, try search.input.isEmpty {
            if search.kinds.remove(.contact) != nil { total += try switchboard.contacts.count() }
            if search.kinds.remove(.prospect) != nil { total += try switchboard.prospects.count() }
        }
        return total + (try allResults(of: search, isCancelled).count)
    }

    /// The delay before results are counted, during which typing may continue.
    private static let delayBeforeCounting = DispatchTimeInterval.milliseconds(250)

    /// Counts all results, unless another search starts first.
    private func count(_ search: Search, _ isCancelled: @escaping Switchboard.CancellationCheck) {
        counts.asyncAfter(deadline: .now() + Self.delayBeforeCounting) {
            // The search itself has reported any failure.
            guard !isCancelled(), let total = try? self.total(of: search, isCancelled) else { return }
            self.events.post(.counted(search.ticket, total))
        }
    }

    private func searchAirports(
        _ search: Search, _ isCancelled: @escaping Switchboard.CancellationCheck
    ) throws {
        guard search.text.contains(where: { !$0.isWhitespace }) else {
            let suggestions = try switchboard.airportSuggestions()
            let rows =
                suggestions.nearest.map { Row(.result($0), section: "Nearest") }
                + suggestions.recent.map { Row(.result($0), section: "Recent") }
                + suggestions.popular.map { Row(.result($0), section: "Popular") }
            return post(SearchUpdate(ticket: search.ticket, rows: rows))
        }
        // Show popular airports before the whole catalog has been searched.
        let answer = try switchboard.searchAirports(search.input, limit: search.limit, isCancelled: isCancelled) {
            self.post(search, $0, isFinal: false)
        }
        guard let server, Switchboard.asksServer(toComplete: answer, limit: search.limit)
        else { return post(search, answer) }
        post(search, answer, isFinal: false, remote: "searching the server…")
        serverRequests.async { self.ask(server, search, answer, isCancelled) }
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

    private func post(
        _ search: Search, _ answer: SearchResponse, isFinal: Bool = true, total: Int? = nil, remote: String? = nil
    ) {
        post(search, answer.results, isFinal: isFinal, total: total, remote: remote)
    }

    private func post(
        _ search: Search, _ results: [SearchResult], isFinal: Bool = true, total: Int? = nil, remote: String? = nil
    ) {
        post(
            SearchUpdate(
                ticket: search.ticket, rows: rows(of: results), isFinal: isFinal,
                hasMore: search.limit > 0 && results.count >= search.limit, total: total,
                remote: remote))
    }

    /// Returns rows for results; rows of prospects include pending reminders.
    private func rows(of results: [SearchResult]) -> [Row] {
        var reminders: [String: Reminder] = [:]
        if results.contains(where: { $0.kind == .prospect }) {
            // Ignore errors: reminders must not make a search fail.
            for reminder in (try? switchboard.reminders.list([.pending])) ?? [] {
                reminders[reminder.subject] = reminder
            }
        }
        return results.map { result in
            Row(.result(result), reminder: result.kind == .prospect ? reminders[result.id] : nil)
        }
    }

    private func post(_ update: SearchUpdate) { events.post(.searchUpdated(update)) }
}

extension Search {
    fileprivate var input: SearchInput { get throws { try SearchInput(text, keypad: isKeypad) } }
}

/// The state of keypad typing in one field of a form.
struct WordSession {
    let number: Int
    var typing: KeypadTyping
}

extension RequestHandler {
    /// Presses a key of a keypad session, or finishes its last word (nil), in the order of the keys.
    func press(_ key: EntryKey?, session number: Int) {
        words.async {
            let update = self.wordSession.withLock { session in
                guard let key else {
                    self.finish(&session, number)
                    return nil as KeypadUpdate?
                }
                return self.update(after: key, &session, number)
            }
            if let update { self.events.post(.keypadUpdated(update)) }
        }
    }

    private func finish(_ session: inout WordSession?, _ number: Int) {
        defer { session = nil }
        guard session?.number == number else { return }
        do {
            try session?.typing.finish()
        } catch {
            events.post(.failed(SwitchboardError(error).description, of: nil))
        }
    }

    private func update(after key: EntryKey, _ session: inout WordSession?, _ number: Int) -> KeypadUpdate {
        var update = KeypadUpdate(session: number, text: "")
        do {
            if session?.number != number { session = WordSession(number: number, typing: try switchboard.typing()) }
            guard var typing = session?.typing else { return update }
            defer { session?.typing = typing }
            do {
                try typing.press(key)
            } catch {
                // The word was typed, but not learned.
                update.failure = SwitchboardError(error).description
            }
            update.text = try typing.text()
            update.candidates = try typing.candidates()
            update.keys = String(decoding: typing.entry.typedKeys, as: UTF8.self)
            update.choice = typing.entry.choice
        } catch {
            update.failure = SwitchboardError(error).description
        }
        return update
    }
}
