import Foundation
import SwitchboardStorage
import Synchronization

/// Delivers reminders when they are due, each exactly once, however many runners work on one database.
///
/// What fell due while nothing ran comes at the next start, marked late. A delivery that fails is tried again after a pause of
/// seconds first and minutes later, and is never given up. Whether the person allows notifications is looked up before each
/// delivery.
///
/// Once may be twice in one case: a process killed within the milliseconds between showing a reminder and noting that. It is then
/// shown again two minutes later, rather than maybe never.
public struct ReminderRunner: Sendable {
    /// What listens to a runner.
    public typealias Listener = @Sendable (ReminderEvent) -> Void

    /// The reminders.
    public let reminders: Reminders
    /// How they are delivered.
    public let delivery: ReminderDelivery

    private let deliveryTimeout: Duration
    private let contacted: @Sendable (Reminder) throws -> Void

    /// How often a runner looks for reminders that other processes have set; looking costs some 30 microseconds.
    private static let pollingInterval: TimeInterval = 1

    /// A runner.
    ///
    /// - Parameters:
    ///   - reminders: what is delivered.
    ///   - delivery: how it is shown.
    ///   - deliveryTimeout: how long showing a reminder may take, at most a minute and a half.
    ///   - contacted: what to do when the person answers that they have contacted the subject.
    public init(
        reminders: Reminders, delivery: ReminderDelivery, deliveryTimeout: Duration = .seconds(60),
        contacted: @escaping @Sendable (Reminder) throws -> Void = { _ in }
    ) {
        self.reminders = reminders
        self.delivery = delivery
        self.deliveryTimeout = min(deliveryTimeout, .seconds(90))
        self.contacted = contacted
    }

    /// Delivers what is due.
    ///
    /// - Parameters:
    ///   - patience: how long to wait for the person's answer to each.
    ///   - tell: called with everything that happens.
    /// - Throws: `StorageError` if the reminders cannot be read or written.
    public func runOnce(waitingForAnswers patience: Duration = .seconds(10), _ tell: @escaping Listener) async throws {
        guard try isAllowed(tell) else { return }
        try await withThrowingTaskGroup(of: Void.self) { group in
            while true {
                let claims = try reminders.claimDue()
                if claims.isEmpty { break }
                for claim in claims {
                    group.addTask { await deliver(claim, waitingForAnswer: patience, tell) }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Delivers until its task is cancelled.
    ///
    /// - Throws: `StorageError` if the reminders cannot be read or written. (A database that is locked for a while is waited for.)
    public func run(_ tell: @escaping Listener) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            var wasAllowed = true
            while !Task.isCancelled {
                var pause = ReminderRunner.pollingInterval
                do {
                    let isAllowed = try isAllowed(wasAllowed ? tell : { _ in })
                    wasAllowed = isAllowed
                    if isAllowed {
                        for claim in try reminders.claimDue() {
                            group.addTask { await deliver(claim, waitingForAnswer: nil, tell) }
                        }
                        if let next = try reminders.nextTry() {
                            pause = min(pause, max(next.timeIntervalSince(reminders.clock()), 0))
                        }
                    }
                } catch let error as StorageError where error.category == .locked {}
                do { try await Task.sleep(for: .seconds(pause)) } catch { break }
            }
            group.cancelAll()
        }
    }

    /// Whether something is due that the person allows; if something is due that they do not, says so.
    private func isAllowed(_ tell: Listener) throws -> Bool {
        guard let next = try reminders.nextTry(), next <= reminders.clock() else { return true }
        do {
            try reminders.storage.requireAccess(.notifications)
            return true
        } catch let error where error.category == .access {
            tell(.notAllowed(message: error.message))
            return false
        }
    }
}

// MARK: - One delivery

extension ReminderRunner {
    private enum Step: Sendable {
        case answered(ReminderChoice?)
        case shown
        case timeIsUp
        case patienceIsOver
    }

    /// Delivers a claimed reminder and acts on the person's answer.
    private func deliver(_ claim: ReminderClaim, waitingForAnswer patience: Duration?, _ tell: @escaping Listener) async
    {
        let delivered = DeliveredOnce()
        let (shown, raise) = AsyncStream<Void>.makeStream()
        let note: @Sendable () -> Void = {
            // At once, on whatever thread: what is shown must not be shown again.
            if delivered.isFirst() { self.note(claim, tell) }
            raise.yield()
        }
        do {
            let choice = try await withThrowingTaskGroup(of: Step.self) { group in
                group.addTask { .answered(try await delivery.deliver(claim.reminder) { note() }) }
                group.addTask {
                    for await _ in shown { return .shown }
                    throw CancellationError()
                }
                group.addTask {
                    try await Task.sleep(for: deliveryTimeout)
                    return .timeIsUp
                }
                defer { group.cancelAll() }
                while let step = try await group.next() {
                    switch step {
                    case .shown:
                        guard let patience else { continue }
                        group.addTask {
                            try await Task.sleep(for: patience)
                            return .patienceIsOver
                        }
                    case .answered(let choice):
                        note()
                        return choice
                    case .timeIsUp:
                        if !delivered.isDone {
                            throw DeliveryError.timedOut(seconds: Int(deliveryTimeout / .seconds(1)))
                        }
                    case .patienceIsOver: return nil
                    }
                }
                return nil
            }
            if let choice { act(on: choice, claim.reminder, tell) }
        } catch {
            // An error after it was shown, such as a desktop that ends, only means that nobody answers.
            if !delivered.isDone { giveBack(claim, error, tell) }
        }
    }

    /// Notes that a reminder is on the screen.
    private func note(_ claim: ReminderClaim, _ tell: Listener) {
        do {
            if let reminder = try reminders.finish(claim) { tell(.delivered(reminder)) }
        } catch {
            tell(.failed(claim.reminder, reason: "it was shown, but that could not be noted: \(error)"))
        }
    }

    private func giveBack(_ claim: ReminderClaim, _ error: any Error, _ tell: Listener) {
        let isCancelled = error is CancellationError || Task.isCancelled
        let reason = (error as? DeliveryError)?.description ?? "\(error)"
        // If this fails, too, the claim ends by itself.
        try? reminders.giveBack(claim, failure: isCancelled ? nil : reason)
        if !isCancelled { tell(.failed(claim.reminder, reason: reason)) }
    }

    private func act(on choice: ReminderChoice, _ reminder: Reminder, _ tell: Listener) {
        do {
            switch choice {
            case .contacted: try contacted(reminder)
            case .inAnHour: try reminders.snooze(reminder.id, until: .after(ReminderDelay(seconds: 3600)))
            case .tomorrowAtNine: try reminders.snooze(reminder.id, until: .tomorrowAtNine)
            }
            tell(.chosen(reminder, choice))
        } catch {
            tell(.choiceFailed(reminder, choice, reason: "\(error)"))
        }
    }
}

/// Whether a reminder was shown, told once.
private final class DeliveredOnce: Sendable {
    private let done = Atomic(false)

    var isDone: Bool { done.load(ordering: .acquiring) }

    func isFirst() -> Bool { !done.exchange(true, ordering: .acquiringAndReleasing) }
}
