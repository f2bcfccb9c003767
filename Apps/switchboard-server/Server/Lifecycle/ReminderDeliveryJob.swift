import Foundation
import SwitchboardAccounts
import SwitchboardCluster
import SwitchboardKit
import SwitchboardReminders
import SwitchboardStorage

#if canImport(Glibc)
    import Glibc
#endif

// Each `unsafe` is a system call that is safe for the same reason: a string is passed as a NUL-terminated copy that
// lives until the call returns, a buffer with its size, and results are written to local variables.

/// Delivers the reminders of all people with a command, and to their browsers through push services.
///
/// Each run opens only the databases that were modified since the last check or have a reminder due. The others cost
/// two `stat` calls each, so the databases of a thousand idle people stay closed. In a cluster, one query finds those, and
/// one server looks at each; the claims in the databases ensure that each reminder is delivered once on its channel.
struct ReminderDeliveryJob {
    /// The modification times and sizes of a database's files.
    private struct FileState: Equatable {
        private var stamps: [Int] = []

        init(of database: String) {
            for file in [database, database + "-wal"] {
                var status = stat()
                guard unsafe stat(file, &status) == 0 else { continue }
                stamps += [status.st_mtim.tv_sec, status.st_mtim.tv_nsec, Int(status.st_size)]
            }
        }

        /// `true` if the database does not exist.
        var isMissing: Bool { stamps.isEmpty }
    }

    private struct LastCheck {
        let fileState: FileState
        let channels: [String]
        /// The time of the next delivery; `.distantFuture` if none is pending.
        let nextDelivery: Date
        let time: Date
    }

    /// The number of commands that run concurrently.
    private static let maximumConcurrency = 8
    /// The number of people whose reminders this server looks for at the same time.
    private static let maximumClaims = 200
    /// The interval in seconds after which a database is checked even if it seems unmodified, because two writes within
    /// one tick of the file system's clock look the same.
    private static let maximumCheckInterval: TimeInterval = 600

    let server: Server
    let command: String?
    private var lastChecks: [String: LastCheck] = [:]
    /// `true` once this server has asked for a look at all people, who may have recipients that they had not before.
    private var hasWoken = false

    init(server: Server, command: String?) {
        self.server = server
        self.command = command
    }

    /// The ways in which the reminders of a person are delivered.
    private struct Recipient {
        let person: Person
        let deliveries: [ReminderDelivery]
    }

    private func recipients() throws -> [Recipient] {
        let receivers = try server.accounts.pushReceivers()
        guard command != nil || !receivers.isEmpty else { return [] }
        let commands = command.map { [ReminderDelivery.command($0)] } ?? []
        return try server.accounts.list().map { person in
            Recipient(
                person: person,
                deliveries: commands + (receivers[person.id] ?? []).map { server.push.delivery(to: $0) })
        }.filter { !$0.deliveries.isEmpty }
    }

    /// Delivers all due reminders.
    mutating func run() async {
        guard let people = try? recipients() else { return }
        let previous = lastChecks
        let claims = claims(of: people)
        let due = people.filter { isDue($0, previous[$0.person.id], claims) }
        var updated: [String: LastCheck] = [:]
        await withTaskGroup(of: (String, LastCheck?).self) { group in
            var waiting = due[...]
            for recipient in waiting.prefix(Self.maximumConcurrency) {
                group.addTask { [self] in await (recipient.person.id, deliver(to: recipient)) }
            }
            waiting = waiting.dropFirst(Self.maximumConcurrency)
            for await (id, check) in group {
                updated[id] = check
                guard !Task.isCancelled, let recipient = waiting.popFirst() else { continue }
                group.addTask { [self] in await (recipient.person.id, deliver(to: recipient)) }
            }
        }
        let present = Set(people.map(\.person.id))
        for (id, claim) in claims ?? [:] {
            // A failed delivery is repeated at once. A person without recipients waits for the next change.
            let next = updated[id]?.nextDelivery ?? (present.contains(id) ? Date() : .distantFuture)
            try? server.store.cluster?.journals.finish(claim, next: next == .distantFuture ? nil : next)
        }
        lastChecks = previous.filter { present.contains($0.key) }.merging(updated) { $1 }
    }

    /// Returns the people whose journals have changed or who have a reminder due, and whom no other server looks at; nil
    /// without a cluster.
    private mutating func claims(of people: [Recipient]) -> [String: PostgresJournals.Due]? {
        guard let cluster = server.store.cluster else { return nil }
        if !hasWoken { hasWoken = (try? cluster.journals.wake()) != nil }
        // With a command, all people are recipients.
        let names = command == nil ? people.map(\.person.id) : nil
        let due = try? cluster.journals.claimDue(among: names, limit: Self.maximumClaims)
        return Dictionary((due ?? []).map { ($0.name, $0) }) { first, _ in first }
    }

    private func isDue(
        _ recipient: Recipient, _ previous: LastCheck?, _ claims: [String: PostgresJournals.Due]?
    ) -> Bool {
        if let claims {
            // Another browser may have been added to a person whose journal is the same.
            return claims[recipient.person.id] != nil
                || previous.map { $0.channels != recipient.deliveries.map(\.channel) } ?? false
        }
        let fileState = fileState(of: recipient.person)
        guard !fileState.isMissing else { return false }
        guard let previous, previous.fileState == fileState,
            previous.channels == recipient.deliveries.map(\.channel)
        else { return true }
        let now = Date()
        if previous.nextDelivery <= now { return true }
        return abs(now.timeIntervalSince(previous.time)) > Self.maximumCheckInterval
    }

    private func fileState(of person: Person) -> FileState {
        FileState(of: server.store.file(of: person.id))
    }

    /// Delivers the due reminders of one person; nil if that failed.
    private func deliver(to recipient: Recipient) async -> LastCheck? {
        guard let nextDelivery = try? await nextDelivery(afterDeliveringTo: recipient) else { return nil }
        // Closing a database changes its files, which must not cause a new check.
        return LastCheck(
            fileState: fileState(of: recipient.person), channels: recipient.deliveries.map(\.channel),
            nextDelivery: nextDelivery, time: Date())
    }

    /// Delivers the due reminders of one person, and returns when the next one is due; `.distantFuture` if none is.
    private func nextDelivery(afterDeliveringTo recipient: Recipient) async throws -> Date {
        let switchboard = server.databases.hold(recipient.person, temporarily: true)
        defer { server.databases.release(recipient.person) }
        let runners = try recipient.deliveries.map { try switchboard.reminderRunner(delivery: $0) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for runner in runners {
                group.addTask { try await runner.runOnce(waitingForAnswers: .zero) { _ in } }
            }
            try await group.waitForAll()
        }
        // A reminder that is still due lacks consent. Granting it modifies the database, which causes a new check.
        return try runners.compactMap { runner in
            try runner.reminders.nextTry(on: runner.delivery.channel).flatMap { $0 > Date() ? $0 : nil }
        }.min() ?? .distantFuture
    }
}
