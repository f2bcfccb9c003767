import SwitchboardKit
import SwitchboardReminders
import SwitchboardTerminalInterface
import Synchronization

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
