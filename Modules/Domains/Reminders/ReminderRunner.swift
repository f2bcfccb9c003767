public import Foundation
import GRDB
import SwitchboardStorage
import SwitchboardVCard
import Synchronization

/// Delivers due reminders, each exactly once on its channel, even if several runners share one database.
///
/// Each delivery method is a separate channel: a reminder that a web page has shown is still delivered on the desktop,
/// unless it has been acted on or was due more than a day ago.
///
/// Reminders that fell due while no runner was active are delivered at the next start and marked late. A failed
/// delivery is repeated with increasing delays, from seconds to minutes, without a limit. The runner checks the user's
/// consent to notifications before each delivery.
///
/// Exactly-once delivery has one exception: if a process is killed in the milliseconds between showing a reminder and
/// recording that, the reminder is shown again two minutes later.
public struct ReminderRunner: Sendable {
    /// A function that receives the events of a runner.
    public typealias Listener = @Sendable (ReminderEvent) -> Void

    /// The reminders to deliver.
    public let reminders: Reminders
    /// The delivery method.
    public let delivery: ReminderDelivery

    private let deliveryTimeout: Duration
    private let contacted: @Sendable (Reminder) throws -> Void
    private let sleep: @Sendable (Duration) async throws -> Void

    /// The interval in seconds at which a runner checks for reminders of other processes; a check takes about 30
    /// microseconds.
    private static let pollingInterval: TimeInterval = 1

    /// Creates a runner.
    ///
    /// - Parameters:
    ///   - reminders: The reminders to deliver.
    ///   - delivery: The delivery method.
    ///   - deliveryTimeout: The time limit for showing a reminder, at most 90 seconds.
    ///   - contacted: Called when the user reports that they have contacted the subject.
    public init(
        reminders: Reminders, delivery: ReminderDelivery, deliveryTimeout: Duration = .seconds(60),
        contacted: @escaping @Sendable (Reminder) throws -> Void = { _ in }
    ) {
        self.init(
            reminders: reminders, delivery: delivery, deliveryTimeout: deliveryTimeout,
            sleep: { try await Task.sleep(for: $0) }, contacted: contacted)
    }

    /// Creates a runner that pauses between checks with the given function.
    init(
        reminders: Reminders, delivery: ReminderDelivery, deliveryTimeout: Duration = .seconds(60),
        sleep: @escaping @Sendable (Duration) async throws -> Void,
        contacted: @escaping @Sendable (Reminder) throws -> Void = { _ in }
    ) {
        self.reminders = reminders
        self.delivery = delivery
        self.deliveryTimeout = min(deliveryTimeout, .seconds(90))
        self.sleep = sleep
        self.contacted = contacted
    }

    /// Delivers the due reminders.
    ///
    /// - Parameters:
    ///   - answerTimeout: The time to wait for the user's answer to each.
    ///   - listener: Called with all events.
    /// - Throws: `StorageError` if the reminders cannot be read or written.
    public func runOnce(waitingForAnswers answerTimeout: Duration = .seconds(10), _ listener: @escaping Listener)
        async throws
    {
        guard try isAllowed(listener) else { return }
        try await withThrowingTaskGroup(of: Void.self) { group in
            while true {
                let claims = try reminders.claimDue(on: delivery.channel)
                if claims.isEmpty { break }
                for claim in claims {
                    group.addTask { await deliver(claim, waitingForAnswer: answerTimeout, listener) }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Delivers until its task is canceled.
    ///
    /// - Throws: `StorageError` if the reminders cannot be read or written. A locked database is retried.
    public func run(_ listener: @escaping Listener) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            var wasAllowed = true
            while !Task.isCancelled {
                var pause = ReminderRunner.pollingInterval
                do {
                    let isAllowed = try isAllowed(wasAllowed ? listener : { _ in })
                    wasAllowed = isAllowed
                    if isAllowed {
                        for claim in try reminders.claimDue(on: delivery.channel) {
                            group.addTask { await deliver(claim, waitingForAnswer: nil, listener) }
                        }
                        if let next = try reminders.nextTry(on: delivery.channel) {
                            pause = min(pause, max(next.timeIntervalSince(reminders.clock()), 0))
                        }
                    }
                } catch let error as StorageError where error.category == .locked {}
                do { try await sleep(.seconds(pause)) } catch { break }
            }
            group.cancelAll()
        }
    }

    /// Returns `true` unless a reminder is due and the user does not allow notifications, which is reported to the
    /// listener.
    private func isAllowed(_ listener: Listener) throws -> Bool {
        guard let next = try reminders.nextTry(on: delivery.channel), next <= reminders.clock() else { return true }
        do {
            try reminders.storage.requireAccess(.notifications)
            return true
        } catch let error where error.category == .access {
            listener(.notAllowed(message: error.message))
            return false
        }
    }
}

// MARK: - One delivery

extension ReminderRunner {
    private enum Step: Sendable {
        case answered(ReminderChoice?)
        case shown
        case deliveryTimedOut
        case answerTimedOut
    }

    /// Delivers a claimed reminder and performs the action that the user chooses.
    private func deliver(
        _ claim: ReminderClaim, waitingForAnswer answerTimeout: Duration?, _ listener: @escaping Listener
    ) async {
        let delivered = OnceFlag()
        let (shown, raise) = AsyncStream<Void>.makeStream()
        let note: @Sendable () -> Void = {
            // Record at once, on any thread: a shown reminder must not be shown again.
            if delivered.isFirst() { self.recordDelivery(claim, listener) }
            raise.yield()
        }
        do {
            let choice = try await withThrowingTaskGroup(of: Step.self) { group in
                group.addTask {
                    let choice = try await delivery.deliver(claim.reminder) { note() }
                    // Records the delivery here because a canceled group never processes the answer.
                    note()
                    return .answered(choice)
                }
                group.addTask {
                    for await _ in shown { return .shown }
                    throw CancellationError()
                }
                group.addTask {
                    try await Task.sleep(for: deliveryTimeout)
                    return .deliveryTimedOut
                }
                defer { group.cancelAll() }
                while let step = try await group.next() {
                    switch step {
                    case .shown:
                        guard let answerTimeout else { continue }
                        group.addTask {
                            try await Task.sleep(for: answerTimeout)
                            return .answerTimedOut
                        }
                    case .answered(let choice): return choice
                    case .deliveryTimedOut:
                        if !delivered.isDone {
                            throw DeliveryError.timedOut(seconds: Int(deliveryTimeout / .seconds(1)))
                        }
                    case .answerTimedOut: return nil
                    }
                }
                return nil
            }
            if let choice { act(on: choice, claim.reminder, listener) }
        } catch {
            // After the reminder was shown, an error, such as the end of the desktop session, only means that no answer
            // will come.
            if !delivered.isDone { release(claim, error, listener) }
        }
    }

    private func recordDelivery(_ claim: ReminderClaim, _ listener: Listener) {
        do {
            if let reminder = try reminders.markDelivered(claim) { listener(.delivered(reminder)) }
        } catch {
            listener(.failed(claim.reminder, reason: "it was shown but could not be marked as delivered: \(error)"))
        }
    }

    private func release(_ claim: ReminderClaim, _ error: any Error, _ listener: Listener) {
        let isCanceled = error is CancellationError || Task.isCancelled
        let reason = "\(error)"
        // If this fails too, the claim expires.
        try? reminders.release(claim, failure: isCanceled ? nil : reason)
        if !isCanceled { listener(.failed(claim.reminder, reason: reason)) }
    }

    private func act(on choice: ReminderChoice, _ reminder: Reminder, _ listener: Listener) {
        do {
            switch choice.id {
            case ReminderChoice.contacted.id: try contacted(reminder)
            case ReminderChoice.inAnHour.id:
                try reminders.snooze(reminder.id, until: .after(ReminderDelay(seconds: 3600)))
            case ReminderChoice.tomorrowAtNine.id: try reminders.snooze(reminder.id, until: .tomorrowAtNine)
            default: break
            }
            listener(.chosen(reminder, choice))
        } catch {
            listener(.choiceFailed(reminder, choice, reason: "\(error)"))
        }
    }
}

private final class OnceFlag: Sendable {
    private let done = Atomic(false)

    var isDone: Bool { done.load(ordering: .acquiring) }

    func isFirst() -> Bool { !done.exchange(true, ordering: .acquiringAndReleasing) }
}

/// An event of a runner.
public enum ReminderEvent: Sendable {
    /// A reminder was delivered.
    case delivered(Reminder)
    /// A delivery failed and will be repeated.
    case failed(Reminder, reason: String)
    /// The user has chosen an action.
    case chosen(Reminder, ReminderChoice)
    /// The chosen action failed.
    case choiceFailed(Reminder, ReminderChoice, reason: String)
    /// The user does not allow notifications, or no longer does. Due reminders wait.
    case notAllowed(message: String)
}

// MARK: - Claims

// To deliver a reminder exactly once on a channel, a process first claims it in a transaction, which only one process
// can do. A claim expires, so reminders claimed by a killed process are not lost.

/// A reminder that only this process may deliver on a channel.
struct ReminderClaim: Sendable {
    let reminder: Reminder
    let channel: String
    let token: String
}

extension Reminders {
    /// The lifetime of a claim in seconds, longer than any delivery may take.
    static let claimDuration: TimeInterval = 120
    /// The delays after failed deliveries, in seconds. The last one repeats.
    static let retryDelays: [TimeInterval] = [5, 15, 60, 300, 900]
    /// The time in seconds for which a channel still delivers reminders that another one has delivered, so a new
    /// channel does not repeat old ones.
    private static let channelDelay: TimeInterval = 86_400

    /// The time of the next attempt. After the clock was set back, the delay of a failed delivery would last until it
    /// has caught up, so longer delays than any are ignored.
    private static let attempt = """
        CASE WHEN claim IS NULL AND nextTryAt > ?2 + \(Int(channelDelay + (retryDelays.last ?? 0))) THEN dueAt
            ELSE coalesce(nextTryAt, dueAt) END
        """

    /// The reminders to deliver on the channel `?1`. Those that another channel has delivered count only if they were
    /// due at or after `?2`.
    private static let open = """
        FROM reminder LEFT JOIN reminder_delivery ON reminder = id AND channel = ?1
        WHERE handledAt IS NULL AND state <> 'cancelled' AND reminder_delivery.deliveredAt IS NULL
            AND (state = 'pending' OR dueAt >= ?2)
        """

    /// Claims due reminders that no other process has claimed on a channel.
    func claimDue(on channel: String, limit: Int = 16) throws -> [ReminderClaim] {
        let now = clock().timeIntervalSince1970
        // Reading is cheap; only due reminders need the write lock.
        guard try nextTry(on: channel).map({ $0.timeIntervalSince1970 <= now }) ?? false else { return [] }
        let token = Storage.newIdentifier()
        return try storage.write { db in
            let ids = try String.fetchAll(
                db,
                sql: """
                    SELECT id, \(Reminders.attempt) AS attempt \(Reminders.open) AND attempt <= ?3
                    ORDER BY attempt, dueAt, id LIMIT ?4
                    """,
                arguments: [channel, now - Reminders.channelDelay, now, limit])
            return try ids.map { id in
                try db.execute(
                    sql: """
                        INSERT INTO reminder_delivery (reminder, channel, attempts, nextTryAt, claim)
                        VALUES (?1, ?2, 0, ?3, ?4)
                        ON CONFLICT DO UPDATE SET nextTryAt = ?3, claim = ?4
                        """,
                    arguments: [id, channel, now + Reminders.claimDuration, token])
                var reminder = try ReminderRows.reminder(id, in: db)
                // An earlier failure, perhaps of another delivery, says nothing about this one.
                reminder.failure = ""
                return ReminderClaim(reminder: reminder, channel: channel, token: token)
            }
        }
    }

    /// Returns the time of the next delivery attempt on a channel, or nil if it has nothing to deliver.
    public func nextTry(on channel: String) throws -> Date? {
        let now = clock().timeIntervalSince1970
        return try storage.read { db in
            try Double.fetchOne(
                db, sql: "SELECT min(\(Reminders.attempt)) \(Reminders.open)",
                arguments: [channel, now - Reminders.channelDelay]
            ).map { Date(timeIntervalSince1970: $0) }
        }
    }

    /// Records that a claimed reminder was shown.
    ///
    /// - Returns: The reminder as stored, or nil if it was rescheduled or canceled in the meantime.
    fileprivate func markDelivered(_ claim: ReminderClaim) throws -> Reminder? {
        let now = clock()
        let isLate = now.timeIntervalSince(claim.reminder.dueAt) > Reminder.lateness
        return try storage.write(changing: Reminders.module) { db in
            try db.execute(
                sql: """
                    UPDATE reminder_delivery SET deliveredAt = ?, claim = NULL
                    WHERE reminder = ? AND channel = ? AND claim = ?
                    """,
                arguments: [now.timeIntervalSince1970, claim.reminder.id, claim.channel, claim.token])
            guard db.changesCount > 0 else { return nil }
            try db.execute(
                sql: """
                    UPDATE reminder SET state = 'delivered', deliveredAt = ?1, isLate = ?2
                    WHERE id = ?3 AND state = 'pending'
                    """,
                arguments: [now.timeIntervalSince1970, isLate, claim.reminder.id])
            try db.execute(sql: "UPDATE reminder SET failure = '' WHERE id = ?", arguments: [claim.reminder.id])
            let reminder = try ReminderRows.reminder(claim.reminder.id, in: db)
            return reminder.state == .delivered ? reminder : nil
        }
    }

    /// Releases a claim so the delivery is repeated: after a delay, or at once if it was not attempted.
    ///
    /// - Parameter failure: The error of the delivery, or nil if it was not attempted.
    fileprivate func release(_ claim: ReminderClaim, failure: String?) throws {
        let now = clock().timeIntervalSince1970
        try storage.write(changing: Reminders.module) { db in
            let attempts = try Int.fetchOne(
                db, sql: "SELECT attempts FROM reminder_delivery WHERE reminder = ? AND channel = ?",
                arguments: [claim.reminder.id, claim.channel])
            let pause = Reminders.retryDelays[min(max(attempts ?? 0, 0), Reminders.retryDelays.count - 1)]
            try db.execute(
                sql: """
                    UPDATE reminder_delivery SET claim = NULL, nextTryAt = ?, attempts = attempts + ?
                    WHERE reminder = ? AND channel = ? AND claim = ?
                    """,
                arguments: [
                    failure == nil ? claim.reminder.dueAt.timeIntervalSince1970 : now + pause, failure == nil ? 0 : 1,
                    claim.reminder.id, claim.channel, claim.token,
                ])
            guard let failure, db.changesCount > 0 else { return }
            try db.execute(
                sql: "UPDATE reminder SET failure = ? WHERE id = ?", arguments: [failure, claim.reminder.id])
        }
    }
}

// MARK: - systemd

/// The systemd user unit that runs a reminder runner while the user is logged in.
public enum RunnerUnit {
    /// The file name of the unit.
    public static let name = "switchboard-reminders.service"

    /// Returns the text of the unit (systemd.unit(5), systemd.service(5)).
    ///
    /// - Parameter command: The absolute path of the program, and its arguments.
    public static func text(running command: [String]) -> String {
        """
        [Unit]
        Description=Reminders of Switchboard
        PartOf=graphical-session.target
        After=graphical-session.target

        [Service]
        ExecStart=\(command.map(quoted).joined(separator: " "))
        Restart=on-failure
        RestartSec=5

        [Install]
        WantedBy=graphical-session.target

        """
    }

    private static func quoted(_ argument: String) -> String {
        let result = argument.replacingScalars { scalar in
            switch scalar {
            case "\\", "\"": "\\\(scalar)"
            case "%": "%%"
            case "$": "$$"
            case "\n": "\\n"
            default: nil
            }
        }
        return "\"\(result)\""
    }
}
