import Foundation
import SwitchboardDBus
import SwitchboardKit
import SwitchboardReminders
import SwitchboardStorage
import Synchronization

/// A service that delivers reminders as desktop notifications until the session ends.
struct ReminderService {
    let switchboard: Switchboard

    /// - Throws: `DBusError` if the session bus cannot be reached, and the errors of reading the reminders.
    func run() throws {
        // Wait for the database instead of creating it at login: without one there are no reminders.
        while !FileManager.default.fileExists(atPath: switchboard.settings.database) {
            Thread.sleep(forTimeInterval: 1)
        }
        let client = try NotificationClient()
        let runner = try switchboard.reminderRunner(delivery: client.delivery)
        let task = Task.detached {
            do {
                try await runner.run { event in
                    if let line = Self.line(event) { FileHandle.standardError.write(Data((line + "\n").utf8)) }
                }
            } catch {
                client.stop(error)
            }
        }
        defer { task.cancel() }
        try client.run()
    }

    /// Returns the log line for a notable event; nil for other events. Names are never logged.
    private static func line(_ event: ReminderEvent) -> String? {
        switch event {
        case .delivered, .chosen: nil
        case .failed(let reminder, let reason): "switchboard-desktop: reminder \(reminder.id): \(reason)"
        case .choiceFailed(let reminder, let choice, let reason):
            "switchboard-desktop: reminder \(reminder.id): \(choice.label): \(reason)"
        case .notAllowed(let message): "switchboard-desktop: \(message)"
        }
    }
}

/// A client of the desktop's notification service, `org.freedesktop.Notifications`, that shows reminders.
///
/// One thread owns the connection (``run()``); deliveries on other threads wake it.
private final class NotificationClient: Sendable {
    private enum Outcome: Sendable {
        case shown
        case chosen(ReminderChoice)
    }

    private struct Request: Sendable {
        let reminder: Reminder
        let outcomes: AsyncThrowingStream<Outcome, any Error>.Continuation
    }

    private static let service = "org.freedesktop.Notifications"
    private static let path = "/org/freedesktop/Notifications"

    private let waker: DBusWaker
    private let requests = Mutex<[Request]>([])
    private let failure = Mutex<(any Error)?>(nil)

    init() throws(DBusError) { waker = try DBusWaker() }

    /// The delivery, on the same channel as delivery with notify-send, so only one of them shows a reminder.
    var delivery: ReminderDelivery {
        ReminderDelivery(ReminderDelivery.desktopChannel) { reminder, shown in
            let (outcomes, continuation) = AsyncThrowingStream<Outcome, any Error>.makeStream()
            self.requests.withLock { $0.append(Request(reminder: reminder, outcomes: continuation)) }
            self.waker.wake()
            for try await outcome in outcomes {
                switch outcome {
                case .shown: await shown()
                case .chosen(let choice): return choice
                }
            }
            return nil
        }
    }

    /// Ends ``run()`` with an error.
    func stop(_ error: any Error) {
        failure.withLock { $0 = error }
        waker.wake()
    }

    /// Shows reminders until the session ends.
    ///
    /// - Throws: The error passed to ``stop(_:)``, `DBusError` if the session bus cannot be reached.
    func run() throws {
        let bus = try DBusConnection()
        for signal in ["ActionInvoked", "NotificationClosed"] {
            try bus.call(
                "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus", "AddMatch",
                [.string("type='signal',sender='\(Self.service)',interface='\(Self.service)',member='\(signal)'")])
        }
        var shown: [UInt32: Request] = [:]
        while true {
            waker.clear()
            if let error = failure.withLock({ $0 }) { throw error }
            let new = requests.withLock { requests in
                defer { requests = [] }
                return requests
            }
            for request in new {
                do {
                    // A restarted service reuses identifiers.
                    shown.updateValue(request, forKey: try show(request.reminder, bus))?.outcomes.finish()
                    request.outcomes.yield(.shown)
                } catch {
                    request.outcomes.finish(throwing: DeliveryError.failed("cannot show a notification: \(error.text)"))
                }
            }
            let message: DBusMessage?
            do {
                message = try bus.next(waiting: .seconds(3600), waker: waker)
            } catch {
                return  // the session ended
            }
            guard let message, message.kind == .signal, message.interface == Self.service,
                let id = message.arguments.first?.number, let request = shown[id], message.sender == owner(bus)
            else { continue }
            if message.member == "ActionInvoked", message.arguments.count == 2,
                let choice = ReminderChoice.allCases.first(where: { $0.id == message.arguments[1].text })
            {
                request.outcomes.yield(.chosen(choice))
                // Some services leave a notification on the screen after an action.
                _ = try? bus.call(
                    Self.service, path: Self.path, interface: Self.service, "CloseNotification", [.uint32(id)])
            }
            request.outcomes.finish()
            shown[id] = nil
        }
    }

    /// Returns the unique name of the service. Any program can send signals; only the service's own are accepted.
    private func owner(_ bus: DBusConnection) -> String? {
        try? bus.call(
            "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus", "GetNameOwner",
            [.string(Self.service)]
        ).first?.text
    }

    private func show(_ reminder: Reminder, _ bus: DBusConnection) throws(DBusError) -> UInt32 {
        let capabilities = try bus.call(Self.service, path: Self.path, interface: Self.service, "GetCapabilities")
            .first?.texts
        let notification = ReminderNotification(
            reminder, hasMarkup: capabilities?.contains("body-markup") ?? true)
        let actions = ReminderChoice.allCases.flatMap { [$0.id, $0.label] }
        let reply = try bus.call(
            Self.service, path: Self.path, interface: Self.service, "Notify",
            [
                .string(AppIdentity().name), .uint32(0), .string(AppIdentity().icon),
                .string(notification.summary), .string(notification.body),
                .strings(capabilities?.contains("actions") ?? true ? actions : []),
                .dictionary([
                    "category": .string(ReminderNotification.category),
                    "sound-name": .string(ReminderNotification.sound), "desktop-entry": .string("switchboard-tui"),
                ]), .int32(-1),
            ])
        guard let id = reply.first?.number else {
            throw DBusError(name: "", text: "the notification service returned no identifier")
        }
        return id
    }
}
