import Foundation
import NIOPosix
import SwitchboardAccounts
import SwitchboardJSON
import SwitchboardKit
import SwitchboardReminders
import SwitchboardWebFetch
import SwitchboardWebPush
import Synchronization

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
            report(error.code, origin, of: person)
            throw error
        }
        pauses.withLock { $0.end(for: person, origin) }
        switch status {
        case 200...299: return
        case 404, 410:
            // The browser has unsubscribed, or no longer exists.
            try accounts.unsubscribe(receiver.subscription.endpoint)
            throw DeliveryError.failed("the browser has unsubscribed")
        default:
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
