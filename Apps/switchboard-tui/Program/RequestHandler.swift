import CSwitchboardNcurses
import Dispatch
import Foundation
import SwitchboardAirports
import SwitchboardBadges
import SwitchboardContacts
import SwitchboardKeypad
import SwitchboardKit
import SwitchboardProspects
import SwitchboardReminders
import SwitchboardSearchableIndex
import SwitchboardStorage
import SwitchboardTerminalInterface
import Synchronization

/// Executes the requests of the interface on other threads and posts the responses as events.
///
/// Searches have a queue on which a new search cancels the previous one. Edits run in the order of the keys on a serial
/// queue. Pictures, which may take seconds, and keypad words have separate queues.
final class RequestHandler: Sendable {
    let switchboard: Switchboard
    let events: EventQueue

    /// The server with additional airports.
    private let server: AirportServer?
    private let searches = DispatchQueue(label: "Searches", qos: .userInteractive)
    /// The ticket of the latest search.
    private let currentSearch = Atomic(0)
    /// The ticket of the last search that ended.
    private let answeredSearch = Atomic(0)
    /// The queue that counts the results of a search after the first results are shown.
    private let counts = DispatchQueue(label: "Counts", qos: .utility)
    /// The queue of requests to the server, which never delay a search.
    private let serverRequests = DispatchQueue(label: "Server", qos: .userInitiated)
    private let words = DispatchQueue(label: "Words", qos: .userInteractive)
    private let wordSession = Mutex<WordSession?>(nil)

    private let changes = DispatchQueue(label: "Changes", qos: .userInitiated)
    /// The queue of pictures and address books in files.
    private let pictures = DispatchQueue(label: "Pictures")
    private let reminders: DueReminders

    init(_ switchboard: Switchboard, _ server: AirportServer?, events: EventQueue) {
        self.switchboard = switchboard
        self.server = server
        self.events = events
        reminders = DueReminders(switchboard, events: events)
    }

    /// Starts observing the database and delivering reminders.
    func start(deliveringReminders: Bool) {
        if deliveringReminders { reminders.start() }
        let events = events
        guard let storage = try? switchboard.storage else { return }
        let changes = storage.changes()
        Task.detached {
            for await change in changes { events.post(.changed([change.module])) }
        }
    }

    /// Cancels the search, stops the delivery of reminders and waits for pending edits to finish.
    func stop() {
        currentSearch.store(-1, ordering: .releasing)
        reminders.stop()
        changes.sync {}
        words.sync {}
    }

    /// Executes a request asynchronously.
    func execute(_ request: Request) {
        switch request {
        case .search(let search): start(search)
        case .markAll(let search):
            DispatchQueue.global(qos: .userInitiated).async {
                self.reportingErrors(request) {
                    .allMarked(search.ticket, try self.allResults(of: search).compactMap(Mark.init))
                }
            }
        case .scan(let path): pictures.async { self.reportingErrors(request) { try self.scan(path) } }
        case .menu(let kind):
            // Finding duplicates is slow and must not delay edits.
            DispatchQueue.global(qos: .userInitiated).async {
                self.reportingErrors(request) { .menuLoaded(kind, try self.entries(of: kind)) }
            }
        case .previewMerge(let ids):
            DispatchQueue.global(qos: .userInitiated).async {
                self.reportingErrors(request) {
                    .mergePreviewed(ids, try self.switchboard.mergeComparison(ids))
                }
            }
        case .importContacts(let path, let region):
            pictures.async { self.reportingErrors(request) { try self.importing(path, region: region) } }
        case .exportContacts(let path, let group, let ids):
            pictures.async { self.reportingErrors(request) { try self.export(to: path, group: group, ids: ids) } }
        case .answer(let reminder, let choice): reminders.answer(reminder, choice)
        case .completePath(let text):
            // Must not wait for pictures: later keys wait for the completion.
            DispatchQueue.global(qos: .userInteractive).async {
                self.events.post(.pathCompleted(PathCompletion.of(text), for: text))
            }
        case .pressKeypad(let key, let session): press(key, session: session)
        case .open(let address):
            DispatchQueue.global(qos: .userInitiated).async { self.events.post(self.open(address)) }
        case .openWithOwner(let link):
            DispatchQueue.global(qos: .userInitiated).async {
                self.reportingErrors(request) { try self.openWithOwner(link) }
            }
        case .quit, .suspend, .redraw, .pick, .cancelPicking, .copy, .editNote: break
        default: changes.async { self.reportingErrors(request) { try self.perform(request) } }
        }
    }

    private func reportingErrors(_ request: Request, _ body: () throws -> Event?) {
        do {
            if let event = try body() { events.post(event) }
        } catch StorageError.accessNotGranted(let subject, let status, let purpose) {
            events.post(.needsAccess(subject, status, purpose: purpose, retry: request))
        } catch let conflict as EditConflict {
            guard case .perform(let edit, let isUndo) = request else {
                return events.post(.failed(conflict.message, of: request))
            }
            events.post(.conflicted(conflict, edit, isUndo: isUndo))
        } catch {
            events.post(.failed(SwitchboardError(error).description, of: request))
        }
    }
}

extension RequestHandler {
    /// Executes a request synchronously.
    private func perform(_ request: Request) throws -> Event? {
        switch request {
        case .perform(let edit, let isUndo): return .edited(try switchboard.perform(edit), isUndo: isUndo)
        case .recordView(let result):
            try switchboard.beginShowing(result)
            return nil
        case .recordOpening(let result, let input):
            try switchboard.recordChoice(of: result, for: input)
            return nil
        case .recordChoice(let result, let query):
            _ = try switchboard.open(
                1, of: SearchResponse(SearchInput(query), elapsed: .zero, results: [result]))
            return .notice("\(result.title) chosen")
        case .reload(let link, let opens): return .reloaded(try read(link, opens), opens: opens)
        case .resumeActivity(let id):
            let continued = try switchboard.continueActivity(id)
            // An invalidated activity can be viewed, but not become current.
            _ = try? switchboard.activities.becomeCurrent(id)
            if let event = try openWithOwner(DeepLink(kind: .activity, id: id)) { return event }
            return .resumed(url: continued.open, title: continued.activity.title ?? continued.activity.activityType)
        case .badge: return .badge(try badge())
        case .reminders: return .reminders(try switchboard.reminders.open())
        case .setLocation(let text):
            let place = try switchboard.airports.setLocation(switchboard.place(text))
            try switchboard.storage.requireAccess(.location)
            return .located("location set to \(place.latitude),\(place.longitude)")
        case .grant(let subject, let isGranted, let retry):
            try switchboard.storage.setStatus(isGranted ? .authorized : .denied, of: subject)
            if let retry { return try perform(retry) }
            return .notice("\(subject.rawValue): " + (isGranted ? "allowed" : "not allowed"))
        default: return nil
        }
    }

    /// Returns the row of an object; nil if it no longer exists and is not about to be opened.
    private func read(_ link: DeepLink, _ opens: Bool) throws -> Row? {
        do {
            guard let result = try switchboard.result(at: link) else { return nil }
            let reminder = link.kind == .prospect ? try switchboard.reminders.pending(of: link.id) : nil
            return Row(.result(result), reminder: reminder)
        } catch {
            if opens { throw error }
            return nil
        }
    }

    /// Opens an address in the desktop's default program.
    private func open(_ address: String) -> Event {
        switch Desktop.open(address) {
        case .opened: .notice("\(address) opened")
        case .noDesktop: .failed("there is no desktop to open \(address); copy it instead", of: nil)
        case .failed: .failed("no program opens \(address); copy it instead", of: nil)
        }
    }

    /// Opens an item or activity in its owner's app; nil if there is no owner or no desktop.
    private func openWithOwner(_ link: DeepLink) throws -> Event? {
        let opening = try switchboard.opening(at: link)
        guard let owner = opening.owner else { return nil }
        return switch Desktop.open(opening, showsOwnView: false) {
        case .opened: .notice("opened in \(owner)")
        case .noDesktop: nil
        case .failed: .failed("\(owner) did not open it; install the program again", of: nil)
        }
    }

    private func badge() throws -> BadgeState {
        guard let me = try switchboard.prospects.me() else { return .empty }
        do throws(QRCodeError) {
            let essentials = Badge(name: me.name, email: me.email, phone: me.email.isEmpty ? me.phone : "")
            let codes = [try QRCode(Badge(me).vCard)] + [Badge(me), essentials].compactMap { try? QRCode($0.meCard) }
            return .code(me, codes)
        } catch {
            return .failed(me, reason: error.description)
        }
    }

    /// Adds the prospects from the badges in a picture.
    private func scan(_ path: String) throws -> Event? {
        var scan = BadgeScan()
        try scan.read(PictureFile.read(path), named: path)
        let report = try scan.finish(into: switchboard)
        let names = report.added.map(\.prospect.displayName).joined(separator: ", ")
        var texts: [String] = []
        if !report.added.isEmpty { texts.append("scanned: \(names)") }
        texts += report.refused.map { $0.reason + ($0.text.map { ": “\($0)”" } ?? "") }
        if !report.empty.isEmpty { texts.append(ScanReport.emptyReason) }
        guard !report.added.isEmpty else { return .failed(texts.joined(separator: "; "), of: .scan(path)) }
        // Undo removes only new prospects.
        let undo = report.added.filter { !$0.wasKnown }.map { EditCommand.removeProspect($0.prospect.id) }
        let only = report.added.count == 1 ? report.added.first : nil
        return .scanned(
            message: texts.joined(separator: "; "), undo: undo,
            link: only.map { DeepLink(kind: .prospect, id: $0.prospect.id) })
    }
}

extension RequestHandler {
    /// Starts a search, which cancels the previous one.
    private func start(_ search: Search) {
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

    /// Returns the results in Find, Contacts or Prospects that have the field of the search.
    private func results(of search: Search, _ isCancelled: @escaping Switchboard.CancellationCheck) throws
        -> [SearchResult]
    {
        guard let field = search.field else { return try allKinds(of: search, isCancelled) }
        var requested = search
        while true {
            let found = try allKinds(of: requested, isCancelled)
            let results = found.filter { field.text(of: $0) != nil }
            if requested.limit == 0 || results.count >= search.limit || found.count < requested.limit {
                return search.limit == 0 ? results : Array(results.prefix(search.limit))
            }
            requested.limit = requested.limit < 1 << 16 ? requested.limit * 4 : 0
        }
    }

    private func allKinds(of search: Search, _ isCancelled: @escaping Switchboard.CancellationCheck) throws
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
            guard input.isEmpty, search.kinds.count > 1 else {
                return try switchboard.search(input, kinds: search.kinds, limit: limit, isCancelled: isCancelled)
                    .results
            }
            // People come before the airports that everybody has; an empty address book shows how to fill it.
            let people = try switchboard.search(
                input, kinds: search.kinds.subtracting([.airport]), limit: limit, isCancelled: isCancelled
            ).results
            if limit > 0 && people.count >= limit || people.isEmpty && search.field == nil { return people }
            let rest = limit == 0 ? 0 : limit - people.count
            return people
                + (try switchboard.search(input, kinds: [.airport], limit: rest, isCancelled: isCancelled).results)
        }
    }

    /// Returns all results in any order. Contacts come from the index, which is much faster than reading the database.
    private func allResults(of search: Search) throws -> [SearchResult] {
        var search = search
        (search.limit, search.contactOrder) = (0, nil)
        return try results(of: search) { false }
    }

    /// Returns the number of contacts or prospects listed for an empty text; nil if results must be counted.
    private func storedCount(of search: Search) throws -> Int? {
        guard try search.input.isEmpty, ![.email, .phone, .iata].contains(search.field) else { return nil }
        switch search.tab {
        case .contacts:
            let book = try switchboard.contacts
            return try search.group.map { try book.count(inGroup: $0) } ?? book.count()
        case .prospects: return try switchboard.prospects.count(search.filter)
        default: return nil
        }
    }

    /// The maximum number of results that are counted. Each is read, which takes microseconds and kilobytes.
    private static let maximumCounted = 10_000

    private func total(of search: Search, _ isCancelled: @escaping Switchboard.CancellationCheck) throws -> Event {
        var search = search
        var total = 0
        // An empty text lists everyone, so no search is necessary.
        if search.tab == .find, search.field == nil, try search.input.isEmpty {
            if search.kinds.remove(.contact) != nil { total += try switchboard.contacts.count() }
            if search.kinds.remove(.prospect) != nil { total += try switchboard.prospects.count() }
        }
        (search.limit, search.contactOrder) = (Self.maximumCounted + 1, nil)
        let count = try results(of: search, isCancelled).count
        return .counted(
            search.ticket, total + min(count, Self.maximumCounted), hasMore: count > Self.maximumCounted)
    }

    /// The delay before results are counted, during which typing may continue.
    private static let delayBeforeCounting = DispatchTimeInterval.milliseconds(250)

    /// Counts all results, unless another search starts first.
    private func count(_ search: Search, _ isCancelled: @escaping Switchboard.CancellationCheck) {
        counts.asyncAfter(deadline: .now() + Self.delayBeforeCounting) {
            // The search itself has reported any failure.
            guard !isCancelled(), let total = try? self.total(of: search, isCancelled) else { return }
            self.events.post(total)
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
                ticket: search.ticket, rows: search.tab == .find ? sections(of: results) : rows(of: results),
                isFinal: isFinal,
                hasMore: search.limit > 0 && results.count >= search.limit, total: total,
                remote: remote))
    }

    /// Groups rows by kind if there are several kinds. The kind of the best result comes first.
    private func sections(of results: [SearchResult]) -> [Row] {
        var kinds: [ResultKind] = []
        for result in results where !kinds.contains(result.kind) { kinds.append(result.kind) }
        let rows = rows(of: results)
        guard kinds.count > 1 else { return rows }
        return kinds.flatMap { kind in
            zip(results, rows).filter { $0.0.kind == kind }.map { _, row in
                var row = row
                row.section = kind.rawValue.prefix(1).uppercased() + kind.rawValue.dropFirst() + "s"
                return row
            }
        }
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

extension RequestHandler {
    /// Presses a key of a keypad session, or finishes its last word (nil), in the order of the keys.
    private func press(_ key: EntryKey?, session number: Int) {
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

/// The state of keypad typing in one field of a form.
private struct WordSession {
    let number: Int
    var typing: KeypadTyping
}

/// A queue of events from other threads that wakes the event loop.
final class EventQueue: Sendable {
    private let events = Mutex<[Event]>([])
    private let waker = sb_terminal_waker()

    func post(_ event: Event) {
        let isFirst = events.withLock { events in
            events.append(event)
            return events.count == 1
        }
        guard isFirst else { return }
        var byte: UInt8 = 0
        // Safe: one byte is read from a local variable.
        _ = unsafe write(waker, &byte, 1)
    }

    /// Removes and returns all events in order.
    func drain() -> [Event] {
        events.withLock { events in
            defer { events = [] }
            return events
        }
    }
}
