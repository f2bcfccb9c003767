import Dispatch
import SwitchboardStorage
import SwitchboardKit
import SwitchboardTerminalInterface

/// Does what the interface asks for, on other threads, and posts what comes of it.
///
/// Searches have a queue of their own, on which a new one ends the one before. Changes are made one after the other on another queue, so
/// that they happen in the order of the keys; reading pictures, which may take seconds, on a third.
/// Words typed with nine keys are looked up on a fourth.
final class Work: Sendable {
    let switchboard: Switchboard
    let mailbox: Mailbox

    private let searches: SearchQueue
    private let changes = DispatchQueue(label: "Changes", qos: .userInitiated)
    private let pictures = DispatchQueue(label: "Pictures")
    private let due: DueReminders
    private let entry: WordEntry

    init(_ switchboard: Switchboard, _ server: AirportServer?, mailbox: Mailbox) {
        self.switchboard = switchboard
        self.mailbox = mailbox
        searches = SearchQueue(switchboard, server, mailbox: mailbox)
        due = DueReminders(switchboard, mailbox: mailbox)
        entry = WordEntry(switchboard, mailbox: mailbox)
    }

    /// Begins to follow changes of other processes and to deliver reminders.
    func begin() {
        due.begin()
        let mailbox = mailbox
        guard let storage = try? switchboard.storage else { return }
        let changes = storage.changes()
        Task.detached {
            for await change in changes { mailbox.post(.changed([change.module])) }
        }
    }

    /// Ends the search that is going on and the reminders' runner, and waits for changes that were asked for: what a person has done is
    /// kept.
    func end() {
        searches.end()
        due.end()
        changes.sync {}
        entry.end()
    }

    /// Does what is asked for.
    func execute(_ request: Request) {
        switch request {
        case .search(let search): searches.begin(search)
        case .scan(let path): pictures.async { self.attempting(request) { try self.scan(path) } }
        case .answer(let reminder, let choice): due.answer(reminder, choice)
        case .complete(let text): pictures.async { self.mailbox.post(.completed(PathCompletion.of(text), for: text)) }
        case .type(let key, let run): entry.press(key, run: run)
        case .quit, .suspend, .redraw: break
        default: changes.async { self.attempting(request) { try self.perform(request) } }
        }
    }

    private func attempting(_ request: Request, _ body: () throws -> Event?) {
        do {
            if let event = try body() { mailbox.post(event) }
        } catch StorageError.accessNotGranted(let subject, let status, let purpose) {
            mailbox.post(.needsAccess(subject, status, purpose: purpose, retry: request))
        } catch {
            mailbox.post(.failed(Fault(error).description))
        }
    }
}
