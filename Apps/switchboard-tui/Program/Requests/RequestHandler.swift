import Dispatch
import SwitchboardKit
import SwitchboardStorage
import SwitchboardTerminalInterface

/// Executes the requests of the interface on other threads and posts the responses as events.
///
/// Searches have a queue on which a new one cancels the previous one. Edits run in the order of the keys on a serial
/// queue. Pictures, which may take seconds, and keypad words have queues of their own.
final class RequestHandler: Sendable {
    let switchboard: Switchboard
    let events: EventQueue

    private let searches: SearchQueue
    private let changes = DispatchQueue(label: "Changes", qos: .userInitiated)
    private let pictures = DispatchQueue(label: "Pictures")
    private let reminders: DueReminders
    private let words: WordEntry

    init(_ switchboard: Switchboard, _ server: AirportServer?, events: EventQueue) {
        self.switchboard = switchboard
        self.events = events
        searches = SearchQueue(switchboard, server, events: events)
        reminders = DueReminders(switchboard, events: events)
        words = WordEntry(switchboard, events: events)
    }

    /// Starts observing the database and delivering reminders.
    func start() {
        reminders.start()
        let events = events
        guard let storage = try? switchboard.storage else { return }
        let changes = storage.changes()
        Task.detached {
            for await change in changes { events.post(.changed([change.module])) }
        }
    }

    /// Cancels the search, stops the delivery of reminders and waits for pending edits, so that none is lost.
    func stop() {
        searches.cancel()
        reminders.stop()
        changes.sync {}
        words.flush()
    }

    /// Executes a request asynchronously.
    func execute(_ request: Request) {
        switch request {
        case .search(let search): searches.start(search)
        case .scan(let path): pictures.async { self.reportingErrors(request) { try self.scan(path) } }
        case .answer(let reminder, let choice): reminders.answer(reminder, choice)
        case .completePath(let text):
            // Never behind a picture: later keys wait for the completion.
            DispatchQueue.global(qos: .userInteractive).async {
                self.events.post(.pathCompleted(PathCompletion.of(text), for: text))
            }
        case .pressKeypad(let key, let session): words.press(key, session: session)
        case .quit, .suspend, .redraw: break
        default: changes.async { self.reportingErrors(request) { try self.perform(request) } }
        }
    }

    private func reportingErrors(_ request: Request, _ body: () throws -> Event?) {
        do {
            if let event = try body() { events.post(event) }
        } catch StorageError.accessNotGranted(let subject, let status, let purpose) {
            events.post(.needsAccess(subject, status, purpose: purpose, retry: request))
        } catch {
            events.post(.failed(SwitchboardError(error).description))
        }
    }
}
