import Hummingbird
import SwitchboardAccounts
import SwitchboardCluster
import SwitchboardJSON
import SwitchboardWebPush

extension Route {
    /// Reminders through the push services of browsers (RFC 8030).
    static let push: [Route] = [
        Route(
            .get, "/v1/push", "Get the public key with which a browser subscribes to its push service.",
            access: .any([.reminders]), response: .json("PushKey")
        ) { _, context in try .json(["publicKey": context.server.push.key.publicKey]) },
        Route(
            .put, "/v1/push", "Send reminders to a browser, until the token or session of the request ends.",
            access: .any([.reminders]), body: .json("PushSubscription"), response: .empty
        ) { request, context in
            let (server, token) = (context.server, try context.token)
            let object = try await context.object(of: request, known: ["endpoint", "expirationTime", "keys"])
            let keys = try object.object("keys", known: ["p256dh", "auth"])
            let subscription = try PushSubscription(
                endpoint: object.text("endpoint") ?? "", publicKey: keys.text("p256dh") ?? "",
                authenticationSecret: keys.text("auth") ?? "")
            try server.push.requirePermitted(subscription)
            let session = request.headers[.authorization] == nil ? server.session(of: request) : nil
            try server.accounts.subscribe(subscription, for: token, session: session)
            try server.store.cluster?.journals.wake(token.person.id)
            return Response(status: .noContent)
        },
        Route(
            .delete, "/v1/push", "Send no more reminders to a browser.", access: .any([.reminders]),
            parameters: [.text("endpoint", "The endpoint of its subscription.", isRequired: true)], response: .empty
        ) { _, context in
            guard let endpoint = context.query["endpoint"], !endpoint.isEmpty else {
                throw Problem.badParameter("endpoint: missing; use that of the browser's subscription")
            }
            try context.server.accounts.unsubscribe(endpoint, of: context.person.id)
            return Response(status: .noContent)
        },
    ]
}
