import Foundation
import HTTPTypes
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

/// Assigns a request identifier, adds security headers, and logs and counts the request.
struct RequestLogMiddleware: ServerMiddleware {
    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        let id = Self.requestID(request) ?? context.id
        var context = context
        context.logger[metadataKey: "hb.request.id"] = .string(id)
        var response = try await next(request, context)
        if response.headers[.cacheControl] == nil, context.method != .options || response.status.code >= 400 {
            response.headers[.cacheControl] = "no-store"
        }
        response.headers[.xRequestID] = id
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[.referrerPolicy] = "no-referrer"
        if context.server.options.isSecure { response.headers[.strictTransportSecurity] = "max-age=31536000" }
        context.server.log.request(context, status: response.status.code, since: start)
        return response
    }

    /// Returns the request identifier set by a proxy, if it is well-formed.
    private static func requestID(_ request: Request) -> String? {
        guard let id = request.headers[.xRequestID], (8...64).contains(id.utf8.count),
            id.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & 0xDF) || $0 == 0x2D })
        else { return nil }
        return id
    }
}

/// Converts errors to problem documents, and logs server errors.
struct ProblemMiddleware: ServerMiddleware {
    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            let problem = Problem(error)
            context.server.log.metrics.count(problem: problem.code)
            // A handler's own problem is a normal response; log any other cause of a server error.
            if problem.status.kind == .serverError, !(error is Problem) { context.server.log.failure(error, context) }
            return .problem(problem)
        }
    }
}

extension HTTPField.Name {
    fileprivate static let xRequestID = Self("X-Request-ID")!
    fileprivate static let referrerPolicy = Self("Referrer-Policy")!
}

/// Request metrics in the Prometheus text format (version 0.0.4).
final class Metrics: Sendable {
    private struct Key: Hashable {
        let method: String
        let route: String
        let status: Int
    }

    private struct Times {
        var counts = [Int](repeating: 0, count: Metrics.bounds.count)
        var count = 0
        var sum = 0.0

        mutating func add(_ seconds: Double) {
            count += 1
            sum += seconds
            for (index, bound) in Metrics.bounds.enumerated() where seconds <= bound { counts[index] += 1 }
        }
    }

    /// A value with its labels; empty without any.
    typealias Gauge = (name: String, help: String, labels: String, value: Double)

    /// What is counted besides requests.
    enum Event: String, CaseIterable {
        case pushSent = "switchboard_pushes_total{result=\"sent\"}"
        case pushFailed = "switchboard_pushes_total{result=\"failed\"}"
        case pushRefused = "switchboard_pushes_total{result=\"unsubscribed\"}"
    }

    private struct State {
        var events: [Event: Int] = [:]
        /// The number of problems by their code.
        var problems: [String: Int] = [:]
        var requests: [Key: Int] = [:]
        var times: [String: Times] = [:]
    }

    /// The upper bounds of the histogram's buckets, in seconds.
    private static let bounds = [0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.05, 0.25, 1]
    /// The methods used as labels. Clients may send any word, so all others are counted together.
    private static let methods: Set<String> = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

    private let state = Mutex(State())

    func count(method: String, route: String, status: Int, time: Duration) {
        let key = Key(method: Self.methods.contains(method) ? method : "other", route: route, status: status)
        let seconds = time / .seconds(1)
        state.withLock { state in
            state.requests[key, default: 0] += 1
            state.times[route, default: Times()].add(seconds)
        }
    }

    func count(_ event: Event) { state.withLock { $0.events[event, default: 0] += 1 } }

    /// Counts a problem: `unauthorized` for a rejected token, `diskFull`…
    func count(problem code: String) { state.withLock { $0.problems[code, default: 0] += 1 } }

    /// - Parameters:
    ///   - gauges: The current values of additional gauges; those of one name follow each other.
    ///   - counters: The current values of additional counters.
    func text(gauges: [Gauge], counters: [(name: String, help: String, value: Int)]) -> String {
        let state = state.withLock { $0 }
        var text = "# HELP switchboard_requests_total Requests handled.\n# TYPE switchboard_requests_total counter\n"
        for (key, count) in state.requests.sorted(by: { ($0.key.route, $0.key.status) < ($1.key.route, $1.key.status) })
        {
            text +=
                "switchboard_requests_total{method=\"\(key.method)\",route=\"\(key.route)\",status=\"\(key.status)\"}"
            text += " \(count)\n"
        }
        text += "# HELP switchboard_request_seconds Duration of requests.\n"
        text += "# TYPE switchboard_request_seconds histogram\n"
        for (route, times) in state.times.sorted(by: { $0.key < $1.key }) {
            let label = "route=\"\(route)\""
            for (bound, count) in zip(Self.bounds, times.counts) {
                text += "switchboard_request_seconds_bucket{\(label),le=\"\(bound)\"} \(count)\n"
            }
            text += "switchboard_request_seconds_bucket{\(label),le=\"+Inf\"} \(times.count)\n"
            text += "switchboard_request_seconds_sum{\(label)} \(times.sum)\n"
            text += "switchboard_request_seconds_count{\(label)} \(times.count)\n"
        }
        text += "# HELP switchboard_problems_total Problems in responses, by their code.\n"
        text += "# TYPE switchboard_problems_total counter\n"
        for (code, count) in state.problems.sorted(by: { $0.key < $1.key }) {
            text += "switchboard_problems_total{code=\"\(code)\"} \(count)\n"
        }
        text += "# HELP switchboard_pushes_total Reminders sent to push services.\n"
        text += "# TYPE switchboard_pushes_total counter\n"
        for event in Event.allCases { text += "\(event.rawValue) \(state.events[event] ?? 0)\n" }
        var described = ""
        for gauge in gauges {
            if gauge.name != described {
                text += "# HELP \(gauge.name) \(gauge.help)\n# TYPE \(gauge.name) gauge\n"
                described = gauge.name
            }
            text += gauge.name + (gauge.labels.isEmpty ? "" : "{\(gauge.labels)}") + " \(gauge.value)\n"
        }
        for counter in counters {
            text += "# HELP \(counter.name) \(counter.help)\n# TYPE \(counter.name) counter\n"
            text += "\(counter.name) \(counter.value)\n"
        }
        return text
    }
}
