import SwitchboardAirports
import HTTPTypes
import SwitchboardAccounts
import SwitchboardAccounts
import SwitchboardStorage
import SwitchboardKit

extension Route {
    /// For who wordSuffixes the server.
    static let operation: [Route] = [
        Route(.get, "/healthz", "Whether the process lives.", door: .open, answers: .json(Schema.ref("Health"))) { _ in
            try .json(["status": "ok"])
        },
        Route(
            .get, "/readyz", "Whether it can answer: the database can be read and the airports are ready.",
            door: .open, answers: .json(Schema.ref("Health")), problems: [503]
        ) { call in
            let server = call.server
            let isReady = try? await call.work {
                _ = try server.people.storage.generation(of: Accounts.module)
                return server.isReady
            }
            guard isReady ?? false else {
                throw Problem(status: .serviceUnavailable, code: "notReady", detail: "the server is not ready yet")
            }
            return try .json(["status": "ok"])
        },
        Route(
            .get, "/metrics", "Figures for Prometheus: for this machine, or the scope metrics.", door: .metrics,
            answers: .file("text/plain")
        ) { call in
            let server = call.server
            let text = server.log.figures.text(gauges: [
                (
                    "switchboard_open_databases", "Databases of people that are open.",
                    Double(server.databases.openCount)
                ),
                ("switchboard_event_streams", "Pages that are told of changes.", Double(server.events.streamCount)),
            ])
            return .bytes(Array(text.utf8), type: "text/plain; version=0.0.4; charset=utf-8")
        },
        Route(
            .get, "/openapi.json", "This description.", door: .open, answers: .json(["type": "object"])
        ) { call in
            let description = call.server.description
            if Answer.isKnown(description.tag, to: call.fields) { return .notModified(description.tag, maxAge: 300) }
            return Answer.bytes(description.bytes, type: "application/json").tagged(description.tag, maxAge: 300)
        },
    ]
}
