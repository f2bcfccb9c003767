import HTTPTypes
import Hummingbird
import NIOCore
import SwitchboardAccounts
import SwitchboardJSON
import SwitchboardKit

extension Route {
    static let events: [Route] = [
        Route(
            .get, "/v1/events", "Stream changes and due reminders as server-sent events.", access: .signedIn,
            response: .file("text/event-stream")
        ) { request, context in
            let (hub, person, scopes) = (context.server.events, try context.person, context.access?.scopes)
            let body = ResponseBody { writer in
                try await request.body.consumeWithCancellationOnInboundClose { _ in
                    // Subscribe only once the body is read; that may never happen.
                    let events = hub.events(of: person)
                    try await writer.write(ByteBuffer(string: "retry: 2000\n\n"))
                    for await event in events {
                        if let text = event.text(for: scopes) { try await writer.write(ByteBuffer(string: text)) }
                    }
                }
                try await writer.finish(nil)
            }
            return Response(
                status: .ok,
                headers: [.contentType: "text/event-stream", .cacheControl: "no-store", .xAccelBuffering: "no"],
                body: body)
        }
    ]
}

extension EventHub.Event {
    /// Returns the server-sent event (HTML Living Standard, section 9.2); nil if the scopes do not permit it.
    fileprivate func text(for scopes: ScopeSet?) -> String? {
        switch self {
        case .keepAlive: return ":\n\n"
        case .changed(let names):
            let visible = names.filter { name in
                // Every token may see the other events.
                guard let domain = name == "items" ? .index : ScopeSet.Domain(rawValue: name) else { return true }
                return scopes?.permits(.read, of: domain) ?? false
            }
            guard !visible.isEmpty, let data = try? OrderedJSON.text(["changed": visible]) else { return nil }
            return "event: changed\ndata: \(data)\n\n"
        case .reminder(let reminder):
            guard scopes?.permits(.read, of: .reminders) ?? false,
                let data = try? OrderedJSON.text(ReminderResponse(reminder))
            else { return nil }
            return "event: reminder\ndata: \(data)\n\n"
        }
    }
}

extension HTTPField.Name {
    /// The field that disables buffering in nginx.
    fileprivate static let xAccelBuffering = Self("X-Accel-Buffering")!
}
