import HTTPTypes
import HummingbirdCore
import NIOCore
import SwitchboardAccounts
import SwitchboardReminders
import ServiceLifecycle
import SwitchboardKit

extension Route {
    /// What happens, as it happens.
    static let events: [Route] = [
        Route(
            .get, "/v1/events", "What changes, as server-sent events, until you go away.", door: .signedIn,
            answers: .file("text/event-stream")
        ) { call in
            guard let access = call.access else { throw Problem.unauthorized }
            let (hub, scopes) = (call.server.events, access.scopes)
            let connection = ConnectionState.current
            let body = ResponseBody { writer in
                // Only now, for nobody may ever read the body.
                let events = hub.events(of: access.person)
                try await writer.write(ByteBuffer(string: "retry: 2000\n\n"))
                for await piece in EventText.pieces(of: events, for: scopes, connection: connection) {
                    try await writer.write(ByteBuffer(string: piece))
                }
                try await writer.finish(nil)
            }
            return Answer(
                .ok, fields: [.contentType: "text/event-stream", .cacheControl: "no-store", .xAccelBuffering: "no"],
                body: .stream(body))
        }
    ]
}

/// Server-sent events (HTML Living Standard, section 9.2).
private enum EventText {
    /// How often something is sent although nothing happens, so that who has gone away is noticed.
    static let pulse = Duration.seconds(15)

    /// The text of events as they come, and a comment line now and then. It ends when the server is about to stop.
    static func pieces(
        of events: AsyncStream<EventHub.Event>, for scopes: ScopeSet, connection: ConnectionState?
    ) -> AsyncStream<String> {
        AsyncStream { continuation in
            let task = Task {
                await withTaskGroup(of: Void.self) { group in
                    group.addTask {
                        for await event in events.cancelOnGracefulShutdown() {
                            if let text = text(of: event, for: scopes) { continuation.yield(text) }
                        }
                    }
                    group.addTask {
                        var quiet = Duration.zero
                        while !Task.isCancelled, connection?.hasEnded != true {
                            try? await Task.sleep(for: .seconds(1))
                            quiet += .seconds(1)
                            if quiet >= pulse {
                                quiet = .zero
                                continuation.yield(":\n\n")
                            }
                        }
                    }
                    await group.next()
                    group.cancelAll()
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    private static func text(of event: EventHub.Event, for scopes: ScopeSet) -> String? {
        switch event {
        case .changed(let names):
            let visible = names.filter { name in
                guard let domain = ScopeSet.Domain(event: name) else { return true }
                return scopes.permits(.read, of: domain)
            }
            guard !visible.isEmpty, let data = try? OrderedJSON.text(["changed": visible]) else { return nil }
            return "event: changed\ndata: \(data)\n\n"
        case .reminder(let reminder):
            guard scopes.permits(.read, of: .reminders),
                let data = try? OrderedJSON.text(ReminderResponse(reminder))
            else { return nil }
            return "event: reminder\ndata: \(data)\n\n"
        }
    }
}

extension ScopeSet.Domain {
    /// The domain whose data an event names; nil for what every token may know.
    fileprivate init?(event name: String) {
        if name == "items" { self = .index } else { self.init(rawValue: name) }
    }
}

extension HTTPField.Name {
    /// Tells a proxy to pass on what it gets at once.
    fileprivate static let xAccelBuffering = Self("X-Accel-Buffering")!
}
