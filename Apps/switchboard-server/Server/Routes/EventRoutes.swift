import HTTPTypes
import Hummingbird
import NIOCore
import SwitchboardAccounts
import SwitchboardJSON
import SwitchboardKit
import SwitchboardStorage

extension Route {
    static let events: [Route] = [
        Route(
            .get, "/v1/events",
            "Stream changes and due reminders as server-sent events. Last-Event-ID resumes a stream without a gap.",
            access: .signedIn,
            parameters: [
                .flag(
                    "started",
                    "Begin a new stream with the event started, whose identifier a client compares with the Event-ID of responses to Prefer: event-id."
                )
            ], response: .file("text/event-stream")
        ) { request, context in
            let (server, token) = (context.server, try context.token)
            // Without a database, the stream would end and be reopened repeatedly.
            try server.databases.use(token.person) { _ in }
            let start = EventLog(
                scopes: token.scopes, lastEventID: request.headers[.lastEventID],
                announcesStart: try context.flag("started"))
            guard server.events.streamCount(of: token.person.id) < EventHub.maximumStreams else {
                throw Problem.tooManyStreams
            }
            let body = ResponseBody { writer in
                try await request.body.consumeWithCancellationOnInboundClose { _ in
                    // Subscribe only once the body is read; that may never happen.
                    let events = server.events.events(
                        of: token.person, seesReminders: token.scopes.permits(.read, of: .reminders)
                    ) { (try? server.token(of: request)) ?? nil != nil }
                    try await writer.write(ByteBuffer(string: "retry: 2000\n\n"))
                    var log = start
                    for await event in events {
                        let text: String?
                        if case .started = event {
                            text = log.resume(
                                at: try await WorkLane.reading.run {
                                    try server.databases.use(token.person) { try EventLog.generations(in: $0.storage) }
                                })
                        } else {
                            text = log.text(of: event)
                        }
                        if let text { try await writer.write(ByteBuffer(string: text)) }
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

/// The server-sent events of one stream (HTML Living Standard, section 9.2).
///
/// The identifier of an event lists the generations that the client knows. With it, a stream can be resumed at any
/// time, even on another server.
struct EventLog: Sendable {
    private let scopes: ScopeSet
    private let announcesStart: Bool
    /// The generations that the client knows; nil if it knows nothing.
    private var known: [String: Int64]?

    init(scopes: ScopeSet, lastEventID: String?, announcesStart: Bool) {
        self.scopes = scopes
        self.announcesStart = announcesStart
        known = lastEventID.flatMap(Self.generations)
    }

    /// Returns an event with the changes since the client's last event. A new stream has no changes.
    mutating func resume(at current: [String: Int64]) -> String {
        guard let former = known else {
            known = current
            return announcesStart ? "\(identifier)\nevent: started\ndata: {}\n\n" : "\(identifier)\n\n"
        }
        known = current
        return text(ofChanged: current.keys.filter { former[$0] != current[$0] }) ?? "\(identifier)\n\n"
    }

    /// Returns the text of an event; nil if the client knows it or its scopes do not permit it.
    mutating func text(of event: EventHub.Event) -> String? {
        switch event {
        case .started: return nil
        case .keepAlive: return ":\n\n"
        case .changed(let change):
            // Before the stream has started, the change is part of its first event.
            guard known != nil, known?.updateValue(change.generation, forKey: change.module) != change.generation else {
                return nil
            }
            return text(ofChanged: [change.module])
        case .reminder(let reminder):
            guard let data = try? OrderedJSON.text(ReminderResponse(reminder)) else { return nil }
            return "event: reminder\ndata: \(data)\n\n"
        }
    }

    private func text(ofChanged modules: [String]) -> String? {
        let visible = modules.sorted().flatMap { EventHub.names[$0] ?? [] }.filter { name in
            // Every token may see the other events.
            guard let domain = name == "items" ? .index : ScopeSet.Domain(rawValue: name) else { return true }
            return scopes.permits(.read, of: domain)
        }
        guard !visible.isEmpty, let data = try? OrderedJSON.text(["changed": visible]) else { return nil }
        return "\(identifier)\nevent: changed\ndata: \(data)\n\n"
    }

    // MARK: - Identifiers

    private var identifier: String { "id: \(Self.identifier(of: known ?? [:]))" }

    private static func identifier(of generations: [String: Int64]) -> String {
        generations.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
    }

    private static func generations(_ identifier: String) -> [String: Int64]? {
        var generations: [String: Int64] = [:]
        for pair in identifier.split(separator: " ") {
            let halves = pair.split(separator: "=")
            guard halves.count == 2, let generation = Int64(halves[1]) else { return nil }
            generations[String(halves[0])] = generation
        }
        return generations
    }

    /// Returns the identifier of an event that follows all changes of a person.
    fileprivate static func currentIdentifier(in storage: Storage) throws -> String {
        identifier(of: try generations(in: storage))
    }

    /// Returns the current generations of the modules that have events.
    static func generations(in storage: Storage) throws -> [String: Int64] {
        var generations: [String: Int64] = [:]
        for module in EventHub.names.keys { generations[module] = try storage.generation(of: module) }
        return generations
    }
}

extension HTTPField.Name {
    /// The field that disables buffering in nginx.
    fileprivate static let xAccelBuffering = Self("X-Accel-Buffering")!
    fileprivate static let lastEventID = Self("Last-Event-ID")!
}

/// Adds the identifier of the newest event that precedes the response if the client sends `Prefer: event-id`.
///
/// A page whose event stream later begins with another identifier has missed a change.
struct EventPositionMiddleware: ServerMiddleware {
    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard request.headers[.prefer] == "event-id", let token = context.access else {
            return try await next(request, context)
        }
        let identifier = try context.server.databases.use(token.person) { switchboard in
            try EventLog.currentIdentifier(in: switchboard.storage)
        }
        var response = try await next(request, context)
        response.headers[.eventID] = identifier
        return response
    }
}

extension HTTPField.Name {
    static let eventID = Self("Event-ID")!
    fileprivate static let prefer = Self("Prefer")!
}
