import SwitchboardReminders
import SwitchboardKit
import Synchronization
import SwitchboardTerminalInterface

/// Shows reminders on the screen when they are due, through the same runner as 'switchboard reminders run': each is delivered once,
/// however many programs run.
final class DueReminders: Sendable {
    private let switchboard: Switchboard
    private let mailbox: Mailbox
    private let waiting = Mutex<[String: AsyncStream<ReminderChoice?>.Continuation]>([:])
    private let task = Mutex<Task<Void, Never>?>(nil)

    init(_ switchboard: Switchboard, mailbox: Mailbox) {
        self.switchboard = switchboard
        self.mailbox = mailbox
    }

    /// Begins to deliver.
    func begin() {
        let mailbox = mailbox
        let running = Task.detached {
            do {
                try await self.switchboard.reminderRunner(delivery: self.delivery).run { event in
                    switch event {
                    case .delivered(let reminder): mailbox.post(.due(reminder))
                    case .chosen(let reminder, let choice):
                        mailbox.post(.noted("\(reminder.title): \(choice.label)"))
                    case .failed(let reminder, let reason), .choiceFailed(let reminder, _, let reason):
                        mailbox.post(.failed("\(reminder.title): \(reason)"))
                    case .notAllowed(let message): mailbox.post(.dueNotAllowed(message))
                    }
                }
            } catch is CancellationError {
            } catch {
                mailbox.post(.failed("reminders are not delivered: \(Fault(error).description)"))
            }
        }
        task.withLock { $0 = running }
    }

    func end() {
        task.withLock { $0?.cancel() }
    }

    /// Gives the person's answer; nil if they only took it away.
    func answer(_ reminder: Reminder, _ choice: ReminderChoice?) {
        let continuation = waiting.withLock { $0.removeValue(forKey: reminder.id) }
        continuation?.yield(choice)
        continuation?.finish()
    }

    /// The screen as a way to deliver: shown at once, answered when the person likes to.
    private var delivery: ReminderDelivery {
        ReminderDelivery("the terminal interface") { reminder, shown in
            let (answers, continuation) = AsyncStream<ReminderChoice?>.makeStream()
            // One that was put off comes under the same identifier again.
            self.waiting.withLock { $0.updateValue(continuation, forKey: reminder.id) }?.finish()
            await shown()
            for await answer in answers { return answer }
            return nil
        }
    }
}
