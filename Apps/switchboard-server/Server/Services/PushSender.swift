import Foundation
import NIOPosix
import SwitchboardAccounts
import SwitchboardJSON
import SwitchboardKit
import SwitchboardReminders
import SwitchboardWebFetch
import SwitchboardWebPush

/// Sends reminders to browsers through their push services (RFC 8030).
///
/// The services cannot read the messages. Only those that the operator names may have a private address, so that a
/// subscription cannot make the server send requests into its own network.
struct PushSender: Sendable {
    let key: PushServerKey
    private let accounts: Accounts
    /// The URL by which push services reach the operator.
    private let contact: String
    private let localServices: Set<String>

    /// The time in seconds for which a service keeps a message for a phone that is switched off.
    private static let lifetime = 86_400

    private static let limits = FetchLimits(
        bytes: 64 << 10, connectTimeout: .seconds(10), totalTimeout: .seconds(20), redirects: 0)

    init(accounts: Accounts, key: PushServerKey, _ options: ServerOptions) {
        self.accounts = accounts
        self.key = key
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

    /// Returns the delivery of reminders to a browser. Each browser is a channel of its own.
    func delivery(to receiver: PushReceiver) -> ReminderDelivery {
        ReminderDelivery("push-\(receiver.id)") { reminder, _ in
            try await NIOThreadPool.singleton.runIfActive { try send(reminder, to: receiver) }
            return nil
        }
    }

    private func send(_ reminder: Reminder, to receiver: PushReceiver) throws {
        let subscription = receiver.subscription
        let message = try PushMessage.encrypt(Data(text(of: reminder).utf8), for: subscription)
        let isLocal = localServices.contains(subscription.origin)
        let fetcher = WebFetcher(limits: Self.limits, allowsPrivateAddresses: isLocal)
        let answer = try fetcher.fetch(
            FetchRequest(
                subscription.endpoint,
                headers: [
                    "Authorization": key.authorization(for: subscription.origin, contact: contact),
                    "Content-Encoding": "aes128gcm", "Content-Type": "application/octet-stream",
                    "TTL": String(Self.lifetime), "Urgency": "high",
                ], allowsOtherServers: false, body: Array(message)))
        switch answer.status {
        case 200...299: return
        case 404, 410:
            // The browser has unsubscribed, or no longer exists.
            try accounts.unsubscribe(subscription.endpoint)
            throw DeliveryError.failed("the browser has unsubscribed")
        default: throw DeliveryError.failed("the push service replied with status \(answer.status)")
        }
    }

    /// Returns the JSON of a reminder for the service worker; a long text is shortened to what services accept.
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
