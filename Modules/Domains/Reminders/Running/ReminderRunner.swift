import Foundation
import SwitchboardStorage
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
        self.reminders = reminders
        self.delivery = delivery
        self.deliveryTimeout = min(deliveryTimeout, .seconds(90))
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

    /// Delivers until its task is cancelled.
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
                do { try await Task.sleep(for: .seconds(pause)) } catch { break }
            }
            group.cancelAll()
        }
    }

    /// Returns true unless a reminder is due and the user does not allow notifications, which is reported to the
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
                    // Records the delivery here because a cancelled group never processes the answer.
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
        let isCancelled = error is CancellationError || Task.isCancelled
        let reason = "\(error)"
        // If this fails too, the claim expires.
        try? reminders.release(claim, failure: isCancelled ? nil : reason)
        if !isCancelled { listener(.failed(claim.reminder, reason: reason)) }
    }

    private func act(on choice: ReminderChoice, _ reminder: Reminder, _ listener: Listener) {
        do {
            switch choice {
            case .contacted: try contacted(reminder)
            case .inAnHour: try reminders.snooze(reminder.id, until: .after(ReminderDelay(seconds: 3600)))
            case .tomorrowAtNine: try reminders.snooze(reminder.id, until: .tomorrowAtNine)
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
