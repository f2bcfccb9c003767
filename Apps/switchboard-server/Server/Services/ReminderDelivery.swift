import Foundation
import NIOPosix
import SwitchboardAccounts
import SwitchboardCluster
import SwitchboardJSON
import SwitchboardKit
import SwitchboardReminders
import SwitchboardStorage
import SwitchboardWebFetch
import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

// Each `unsafe` is a system call that is safe for the same reason: a string is passed as a NUL-terminated copy that
// lives until the call returns, a buffer with its size, and results are written to local variables.

/// Delivers the reminders of all people with a command, and to their browsers through push services.
///
/// Each run opens only the databases that were modified since the last check or have a reminder due. The others cost
/// two `stat` calls each, so the databases of a thousand idle people stay closed. In a cluster, one query finds the
/// databases to open, and one server checks each. Claims in the databases ensure that each reminder is delivered once
/// per channel.
///
/// A run does not wait for deliveries, so slow deliveries to one person do not delay other people's.
final class ReminderDeliveryJob: Sendable {
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

    private struct State {
        var lastChecks: [String: LastCheck] = [:]
        /// The people with a delivery in progress or waiting for its turn.
        var underway: Set<String> = []
        /// `true` once this server has requested a check of all people, because they may have new recipients.
        var hasWoken = false
    }

    /// The maximum number of people to whom reminders are delivered concurrently. Each needs an open database.
    private static let maximumConcurrency = 64
    /// The maximum number of people whose reminders one run claims.
    private static let maximumClaims = 200
    /// The interval in seconds after which a database is checked even if it seems unmodified, because two writes within
    /// one tick of the file system's clock look the same.
    private static let maximumCheckInterval: TimeInterval = 600

    private let server: Server
    private let command: String?
    private let turns = Turns(limit: maximumConcurrency)
    private let state = Mutex(State())

    init(server: Server, command: String?) {
        self.server = server
        self.command = command
    }

    /// A person and the ways in which their reminders are delivered.
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

    /// Starts delivering all due reminders.
    func run(in group: inout DiscardingTaskGroup) {
        guard let recipients = try? recipients() else { return }
        let (previous, underway) = state.withLock { state in
            let present = Set(recipients.map(\.person.id))
            state.lastChecks = state.lastChecks.filter { present.contains($0.key) }
            return (state.lastChecks, state.underway)
        }
        let idle = recipients.filter { !underway.contains($0.person.id) }
        var claims = claims(of: idle, besides: underway)
        for recipient in idle where isDue(recipient, previous[recipient.person.id], claims) {
            let id = recipient.person.id
            let claim = claims?.removeValue(forKey: id)
            state.withLock { _ = $0.underway.insert(id) }
            group.addTask {
                let check = try? await self.turns.run(for: id) { await self.deliver(to: recipient) }
                // Retry a failed delivery at once.
                if let claim { self.finish(claim, next: check?.nextDelivery ?? Date()) }
                self.state.withLock { state in
                    state.underway.remove(id)
                    if let check { state.lastChecks[id] = check }
                }
            }
        }
        // A person without recipients is checked again after the next change.
        for claim in (claims ?? [:]).values { finish(claim, next: .distantFuture) }
    }

    private func finish(_ claim: PostgresJournals.Due, next: Date) {
        try? server.store.cluster?.journals.finish(claim, next: next == .distantFuture ? nil : next)
    }

    /// Claims the people with a changed journal or a due reminder that no other server has claimed. Returns nil without
    /// a cluster.
    private func claims(of people: [Recipient], besides underway: Set<String>) -> [String: PostgresJournals.Due]? {
        guard let cluster = server.store.cluster else { return nil }
        if !state.withLock(\.hasWoken), (try? cluster.journals.wake()) != nil {
            state.withLock { $0.hasWoken = true }
        }
        // With a command, all people are recipients.
        let names = command == nil || !underway.isEmpty ? people.map(\.person.id) : nil
        let due = try? cluster.journals.claimDue(among: names, limit: Self.maximumClaims)
        return Dictionary((due ?? []).map { ($0.name, $0) }) { first, _ in first }
    }

    private func isDue(
        _ recipient: Recipient, _ previous: LastCheck?, _ claims: [String: PostgresJournals.Due]?
    ) -> Bool {
        if let claims {
            // A person may have a new browser although the journal is unchanged.
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

    /// Delivers the due reminders of one person; nil on failure.
    private func deliver(to recipient: Recipient) async -> LastCheck? {
        // From before the check: one that changes during it is checked again, because its result may lack the change.
        // A check without changes does not change the files.
        let fileState = fileState(of: recipient.person)
        guard let nextDelivery = try? await nextDelivery(afterDeliveringTo: recipient) else { return nil }
        return LastCheck(
            fileState: fileState, channels: recipient.deliveries.map(\.channel), nextDelivery: nextDelivery,
            time: Date())
    }

    /// Delivers the due reminders of one person and returns the time of the next one; `.distantFuture` if none is
    /// pending.
    private func nextDelivery(afterDeliveringTo recipient: Recipient) async throws -> Date {
        let switchboard = try server.databases.hold(recipient.person, temporarily: true)
        defer { server.databases.release(switchboard, of: recipient.person) }
        let runners = try recipient.deliveries.map { try switchboard.reminderRunner(delivery: $0) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for runner in runners {
                group.addTask { try await runner.runOnce(waitingForAnswers: .zero) { _ in } }
            }
            try await group.waitForAll()
        }
        // A reminder that is still due became due in the meantime or lacks consent. Granting consent modifies the
        // database, which causes a new check.
        let (now, isAllowed) = (Date(), try switchboard.storage.status(of: .notifications) == .authorized)
        return try runners.compactMap { runner in
            try runner.reminders.nextTry(on: runner.delivery.channel).flatMap { isAllowed || $0 > now ? $0 : nil }
        }.min() ?? .distantFuture
    }
}

/// Sends reminders to browsers through their push services (RFC 8030).
///
/// The services cannot read the messages. Only services that the operator names may have a private address, so a
/// subscription cannot make the server send requests into its own network.
///
/// A service may hang, and anyone may subscribe to one that does. To delay only the messages of that person, messages
/// are sent on dedicated threads, one at a time for each person.
final class PushSender: Sendable {
    let key: PushServerKey
    private let accounts: Accounts
    /// The URL at which push services can reach the operator.
    private let contact: String
    private let localServices: Set<String>
    private let log: ServerLog
    private let turns = Turns(limit: PushSender.maximumPeople)
    private let pauses = Mutex(PushPauses())

    /// The time in seconds for which a service keeps a message for a phone that is switched off.
    private static let lifetime = 86_400

    private static let limits = FetchLimits(
        bytes: 64 << 10, connectTimeout: .seconds(5), totalTimeout: .seconds(5), redirects: 0)

    /// The maximum number of people with a message in flight. Others wait only if the services of this many people hang
    /// at the same time, and then for up to the timeout of a message.
    private static let maximumPeople = 64

    /// The threads that send messages, started with the first message. They spend their time waiting for services.
    private static let threads = {
        let threads = NIOThreadPool(numberOfThreads: maximumPeople)
        threads.start()
        return threads
    }()

    init(accounts: Accounts, key: PushServerKey, log: ServerLog, _ options: ServerOptions) {
        self.accounts = accounts
        self.key = key
        self.log = log
        contact = "https://\(options.publicHosts.first ?? "localhost")/"
        localServices = Set(options.pushServices.map(\.text))
    }

    /// - Throws: A ``Problem`` unless messages may be sent to the service of a subscription.
    func requirePermitted(_ subscription: PushSubscription) throws {
        guard subscription.origin.hasPrefix("https:") || localServices.contains(subscription.origin) else {
            throw Problem.badRequest(
                "endpoint: \(subscription.origin) does not use HTTPS; the operator can permit it with --push-service",
                code: "insecurePushService")
        }
    }

    /// Returns the delivery of reminders to a browser. Each browser is a separate channel.
    func delivery(to receiver: PushReceiver) -> ReminderDelivery {
        ReminderDelivery("push-\(receiver.id)") { reminder, _ in
            try await self.turns.run(for: receiver.person.id) {
                let isCancelled = CancellationFlag()
                try await withTaskCancellationHandler {
                    try await Self.threads.runIfActive {
                        try self.send(reminder, to: receiver) { isCancelled.isSet.load(ordering: .relaxed) }
                    }
                } onCancel: {
                    isCancelled.isSet.store(true, ordering: .relaxed)
                }
            }
            return nil
        }
    }

    private final class CancellationFlag: Sendable {
        let isSet = Atomic(false)
    }

    /// Sends a message, unless messages of this person to the service are paused.
    private func send(
        _ reminder: Reminder, to receiver: PushReceiver, isCancelled: @escaping () -> Bool
    ) throws {
        let (person, origin) = (receiver.person.id, receiver.subscription.origin)
        if let reason = pauses.withLock({ $0.reason(for: person, origin) }) { throw DeliveryError.failed(reason) }
        let status: Int
        do {
            status = try post(reminder, to: receiver.subscription, isCancelled: isCancelled)
        } catch let error as WebFetchError {
            pauses.withLock { $0.begin(for: person, origin, because: error.message) }
            log.metrics.count(.pushFailed)
            report(error.code, origin, of: person)
            throw error
        }
        pauses.withLock { $0.end(for: person, origin) }
        switch status {
        case 200...299: log.metrics.count(.pushSent)
        case 404, 410:
            log.metrics.count(.pushRefused)
            // The browser has unsubscribed, or no longer exists.
            try accounts.unsubscribe(receiver.subscription.endpoint)
            throw DeliveryError.failed("the browser has unsubscribed")
        default:
            log.metrics.count(.pushFailed)
            report("status \(status)", origin, of: person)
            throw DeliveryError.failed("the push service replied with status \(status)")
        }
    }

    private func report(_ reason: String, _ origin: String, of person: String) {
        if pauses.withLock({ $0.shouldReport(for: person, origin) }) { log.pushFailure(reason, of: origin) }
    }

    /// Sends a message and returns the status of the service's response.
    private func post(
        _ reminder: Reminder, to subscription: PushSubscription, isCancelled: @escaping () -> Bool
    ) throws -> Int {
        let message = try PushMessage.encrypt(Data(text(of: reminder).utf8), for: subscription)
        let isLocal = localServices.contains(subscription.origin)
        let fetcher = WebFetcher(limits: Self.limits, allowsPrivateAddresses: isLocal)
        return try fetcher.fetch(
            FetchRequest(
                subscription.endpoint,
                headers: [
                    "Authorization": key.authorization(for: subscription.origin, contact: contact),
                    "Content-Encoding": "aes128gcm", "Content-Type": "application/octet-stream",
                    "TTL": String(Self.lifetime), "Urgency": "high",
                ], allowsOtherServers: false, body: Array(message)), isCancelled: isCancelled
        ).status
    }

    /// Returns the JSON of a reminder for the service worker; a long text is shortened to the size that services
    /// accept.
    private func text(of reminder: Reminder) throws -> String {
        var body = reminder.body
        while true {
            let text = try OrderedJSON.text(
                [
                    "id": .string(reminder.id), "prospect": .string(reminder.subject),
                    "title": .string(String(reminder.title.prefix(300))), "body": .string(body),
                ] as JSONValue)
            if text.utf8.count <= PushMessage.maximumLength { return text }
            body = String(body.prefix(body.count / 2))
        }
    }
}
