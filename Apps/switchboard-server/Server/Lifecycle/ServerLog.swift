import Foundation
import Hummingbird
import Logging
import SwitchboardJSON
import SwitchboardKit
import SwitchboardStorage
import Synchronization

/// The request log and metrics of the server.
///
/// Neither contains private data: a request is identified by its route (`/v1/contacts/{id}`), without parameters, names
/// or bodies.
struct ServerLog: Sendable {
    let logger: Logger
    let metrics = Metrics()

    /// Logs and counts a request.
    func request(_ context: ServerRequestContext, status: Int, since start: ContinuousClock.Instant) {
        let time = ContinuousClock.now - start
        let (method, route) = (context.method.rawValue, Self.template(context))
        metrics.count(method: method, route: route, status: status, time: time)
        guard logger.logLevel <= .info else { return }
        logger.info(
            "request",
            metadata: [
                "requestID": .string(context.id), "method": .string(method), "route": .string(route),
                "status": .stringConvertible(status),
                "microseconds": .stringConvertible(Int(time / .microseconds(1))),
            ])
    }

    /// Logs the cause of an internal error.
    func failure(_ error: any Error, _ context: ServerRequestContext) {
        let reason: String =
            switch error {
            // File names contain only identifiers, so the message is safe to log.
            case let error as StorageError: error.message
            case let error as MissingDatabase: error.message
            case let error as SwitchboardError: error.message
            default: String(describing: type(of: error))
            }
        logger.error(
            "failed",
            metadata: [
                "requestID": .string(context.id), "route": .string(Self.template(context)), "reason": .string(reason),
            ])
    }

    /// Logs a failure of a push service with its origin only, because the rest of an endpoint is a secret of the
    /// browser.
    func pushFailure(_ reason: String, of origin: String) {
        logger.warning(
            "cannot send reminders to a push service",
            metadata: ["service": .string(origin), "reason": .string(reason)])
    }

    /// Returns the path template of a request's route; `none` if no route matched.
    private static func template(_ context: ServerRequestContext) -> String {
        context.endpointPath.flatMap { $0 == "NotFound" ? nil : $0 } ?? "none"
    }
}

/// A log handler that writes JSON lines to standard error.
struct JSONLogHandler: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level

    init(level: Logger.Level) { logLevel = level }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var members: [(key: String, value: JSONValue)] = [
            ("time", .string(Self.now())),
            ("level", .string(event.level.rawValue)), ("message", .string(event.message.description)),
        ]
        for (key, value) in (event.metadata ?? [:]).sorted(by: { $0.key < $1.key }) {
            members.append((key, .string(value.description)))
        }
        guard let line = try? OrderedJSON.text(JSONValue(members)) else { return }
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }

    /// The most recently logged second, as text. Formatting a time takes longer than writing the rest of a line.
    private static let second = Mutex<(number: Int, text: String)>((.min, ""))

    /// Returns the current time in ISO 8601, to the millisecond.
    private static func now() -> String {
        let milliseconds = Int((Date.now.timeIntervalSince1970 * 1_000).rounded(.down))
        let number = milliseconds / 1_000
        let text = second.withLock { second in
            if second.number != number {
                let date = Date(timeIntervalSince1970: Double(number))
                second = (number, date.formatted(.iso8601.year().month().day().time(includingFractionalSeconds: false)))
            }
            return second.text
        }
        return "\(text).\(String(milliseconds % 1_000 + 1_000).dropFirst())"
    }
}
