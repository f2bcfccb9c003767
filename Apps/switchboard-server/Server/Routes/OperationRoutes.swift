import HTTPTypes
import SwitchboardAccounts
import SwitchboardAirports
import SwitchboardJSON
import SwitchboardKit
import SwitchboardStorage

extension Route {
    /// Health, metrics and the API description.
    static let operation: [Route] = [
        Route(
            .get, "/healthz", "Check that the process is alive.", access: .open, response: .json(Schema.ref("Health"))
        ) { _ in
            try .json(["status": "ok"])
        },
        Route(
            .get, "/readyz", "Check that the database can be read and the airports are loaded.",
            access: .open, response: .json(Schema.ref("Health")), problems: [503]
        ) { context in
            let server = context.server
            let isReady = try? await context.runBlocking {
                _ = try server.accounts.storage.generation(of: Accounts.module)
                return server.isReady
            }
            guard isReady ?? false else {
                throw Problem(
                    status: .serviceUnavailable, code: "notReady", detail: "the server is still starting; try again")
            }
            return try .json(["status": "ok"])
        },
        Route(
            .get, "/metrics", "Get Prometheus metrics, from this machine or with the scope metrics.", access: .metrics,
            response: .file("text/plain")
        ) { context in
            let server = context.server
            let text = server.log.metrics.text(gauges: [
                (
                    "switchboard_open_databases", "Open databases.",
                    Double(server.databases.openCount)
                ),
                ("switchboard_event_streams", "Open event streams.", Double(server.events.streamCount)),
            ])
            return .bytes(Array(text.utf8), type: "text/plain; version=0.0.4; charset=utf-8")
        },
        Route(
            .get, "/openapi.json", "Get this API description.", access: .open, response: .json(["type": "object"])
        ) { context in
            let description = context.server.description
            if EndpointResponse.isKnown(description.tag, to: context.fields) {
                return .notModified(description.tag, maxAge: 300)
            }
            return EndpointResponse.bytes(description.bytes, type: "application/json").tagged(
                description.tag, maxAge: 300)
        },
    ]
}
