import HTTPTypes
import HummingbirdCore
import NIOCore
import ServiceLifecycle
import SwitchboardAccounts
import SwitchboardJSON
import SwitchboardKit
import SwitchboardReminders

extension Route {
    /// The event stream.
    static let events: [Route] = [
        Route(
            .get, "/v1/events", "Stream changes and due reminders as server-sent events.", access: .signedIn,
            response: .file("text/event-stream")
        ) { context in
            guard let access = context.access else { throw Problem.unauthorized }
            let (hub, scopes) = (context.server.events, access.scopes)
            let connection = ConnectionState.current
            let body = ResponseBody { writer in
                // Subscribe only once the body is read; that may never happen.
                let events = hub.events(of: access.person)
                try await writer.write(ByteBuffer(string: "retry: 2000\n\n"))
                for await piece in ServerSentEvents.pieces(of: events, for: scopes, connection: connection) {
                    try await writer.write(ByteBuffer(string: piece))
                }
                try await writer.finish(nil)
            }
            return EndpointResponse(
                .ok, fields: [.contentType: "text/event-stream", .cacheControl: "no-store", .xAccelBuffering: "no"],
                body: .stream(body))
        }
    ]
}

/// Encodes events as server-sent events (HTML Living Standard, section 9.2).
private enum ServerSentEvents {
    /// The interval of keep-alive comments, which detect lost connections.
    static let keepAliveInterval = Duration.seconds(15)

    /// Returns the encoded events with keep-alive comments. The stream ends on graceful shutdown.
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
                            if quiet >= keepAliveInterval {
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
    /// Creates the domain of an event name; nil if every token may see the event.
    fileprivate init?(event name: String) {
        if name == "items" { self = .index } else { self.init(rawValue: name) }
    }
}

extension HTTPField.Name {
    /// The field that disables buffering in nginx.
    fileprivate static let xAccelBuffering = Self("X-Accel-Buffering")!
}
