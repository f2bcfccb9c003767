import CSwitchboardNcurses
import Dispatch
import Foundation
import SwitchboardAirports
import SwitchboardBadges
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
    let server: AirportServer?
    let searches = DispatchQueue(label: "Searches", qos: .userInteractive)
    /// The ticket of the latest search.
    let currentSearch = Atomic(0)
    /// The ticket of the last search that ended.
    let answeredSearch = Atomic(0)
    /// The queue that counts the results of a search after the first results are shown.
    let counts = DispatchQueue(label: "Counts", qos: .utility)
    /// The queue of requests to the server, which never delay a search.
    let serverRequests = DispatchQueue(label: "Server", qos: .userInitiated)
    let words = DispatchQueue(label: "Words", qos: .userInteractive)
    let wordSession = Mutex<WordSession?>(nil)

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
                    .allMarked(search.ticket, try self.allResults(of: search) { false }.compactMap(Mark.init))
                }
            }
        case .scan(let path): pictures.async { self.reportingErrors(request) { try self.scan(path) } }
        case .menu(let kind):
            // Finding duplicates is slow and must not delay edits.
            DispatchQueue.global(qos: .userInitiated).async {
                self.reportingErrors(request) { .menuLoaded(kind, try self.entries(of: kind)) }
            }
        case .importContacts(let path): pictures.async { self.reportingErrors(request) { try self.importing(path) } }
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
    func perform(_ request: Request) throws -> Event? {
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
        case .reminders: return .reminders(try switchboard.reminders.list([.pending, .delivered]))
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
    func scan(_ path: String) throws -> Event? {
        var scan = BadgeScan()
        try scan.read(PictureFile.read(path), named: path)
        let report = try scan.finish(into: switchboard)
        let names = report.added.map(\.prospect.displayName).joined(separator: ", ")
        var texts: [String] = []
        if !report.added.isEmpty { texts.append("scanned: \(names)") }
        texts += report.refused.map { $0.reason + ($0.text.map { ": “\($0)”" } ?? "") }
        if !report.empty.isEmpty { texts.append("no code found in the picture") }
        guard !report.added.isEmpty else { return .failed(texts.joined(separator: "; "), of: .scan(path)) }
        // Undo removes only new prospects.
        let undo = report.added.filter { !$0.wasKnown }.map { EditCommand.removeProspect($0.prospect.id) }
        let only = report.added.count == 1 ? report.added.first : nil
        return .scanned(
            message: texts.joined(separator: "; "), undo: undo,
            link: only.map { DeepLink(kind: .prospect, id: $0.prospect.id) })
    }
}

/// The delivery of due reminders on the screen.
///
/// It uses the same runner as `switchboard reminders run`, so each reminder is delivered only once even if several
/// programs run.
final class DueReminders: Sendable {
    private let switchboard: Switchboard
    private let events: EventQueue
    private let pendingAnswers = Mutex<[String: AsyncStream<ReminderChoice?>.Continuation]>([:])
    private let task = Mutex<Task<Void, Never>?>(nil)

    init(_ switchboard: Switchboard, events: EventQueue) {
        self.switchboard = switchboard
        self.events = events
    }

    func start() {
        let events = events
        let task = Task.detached {
            do {
                try await self.switchboard.reminderRunner(delivery: self.delivery).run { event in
                    switch event {
                    case .delivered(let reminder): events.post(.due(reminder))
                    case .chosen(let reminder, let choice):
                        events.post(.notice("\(reminder.title): \(choice.label)"))
                    case .failed(let reminder, let reason), .choiceFailed(let reminder, _, let reason):
                        events.post(.failed("\(reminder.title): \(reason)", of: nil))
                    case .notAllowed(let message): events.post(.dueNotAllowed(message))
                    }
                }
            } catch is CancellationError {
            } catch {
                events.post(.failed("reminders are not delivered: \(SwitchboardError(error).description)", of: nil))
            }
        }
        self.task.withLock { $0 = task }
    }

    func stop() {
        task.withLock { $0?.cancel() }
    }

    /// Passes on the user's answer; nil dismisses the reminder.
    func answer(_ reminder: Reminder, _ choice: ReminderChoice?) {
        let continuation = pendingAnswers.withLock { $0.removeValue(forKey: reminder.id) }
        continuation?.yield(choice)
        continuation?.finish()
    }

    /// The delivery that shows a reminder and waits for the answer.
    private var delivery: ReminderDelivery {
        ReminderDelivery("the terminal interface") { reminder, shown in
            let (answers, continuation) = AsyncStream<ReminderChoice?>.makeStream()
            // A postponed reminder returns under the same identifier.
            self.pendingAnswers.withLock { $0.updateValue(continuation, forKey: reminder.id) }?.finish()
            await shown()
            for await answer in answers { return answer }
            return nil
        }
    }
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
