import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import SwitchboardAccounts
import SwitchboardCluster
import SwitchboardStorage
import Synchronization

/// Repeats the response to a POST request with a known `Idempotency-Key` instead of handling the request again.
///
/// A client whose connection breaks cannot know whether its request was handled. With a key, it can safely send the
/// request again. In a cluster, it may choose another server, because the key is stored with the change.
struct IdempotencyMiddleware: ServerMiddleware {
    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard let key = request.headers[.idempotencyKey] else { return try await next(request, context) }
        guard (1...255).contains(key.utf8.count) else {
            throw Problem.badRequest("Idempotency-Key: use 1 to 255 bytes", code: "badKey")
        }
        let body = try await context.body(of: request)
        let keys = context.server.idempotencyKeys
        let name = try "\(context.person.id) \(key)"
        let content = EntityTag.of(Array("\(request.head.path ?? "")\n".utf8) + body)
        switch keys.begin(name, content: content) {
        case .known(let response): return response
        case .underWay: throw Problem.underWay
        case .otherContent: throw Problem.keyReused
        case .new:
            do {
                var request = request
                request.body = RequestBody(buffer: ByteBuffer(bytes: body))
                let response: Response
                if let requests = context.server.store.cluster?.requests {
                    let repeatable = RepeatableRequest(key: name, content: content)
                    response = try await handle(request, repeatable, requests) { try await next($0, context) }
                } else {
                    response = try await next(request, context)
                }
                keys.end(name, response)
                return response
            } catch {
                // Nothing was changed, or the cluster has recorded the change.
                keys.end(name, nil)
                throw error
            }
        }
    }

    /// Handles a request unless a server of the cluster has done so.
    private func handle(
        _ request: Request, _ repeatable: RepeatableRequest, _ requests: PostgresRequests,
        next: (Request) async throws -> Response
    ) async throws -> Response {
        if let known = try Self.response(to: repeatable, requests) { return known }
        var response: Response
        do {
            response = try await RepeatableRequest.$current.withValue(repeatable) { try await next(request) }
        } catch let error as StorageError {
            // Another server may have been first.
            guard case .constraint = error, let known = try Self.response(to: repeatable, requests) else { throw error }
            return known
        }
        guard repeatable.isStored else { return response }
        let collector = BodyCollector()
        try await response.body.write(collector)
        response.body = ResponseBody(byteBuffer: collector.bytes)
        // Without the response, another server knows only that the request was handled.
        try? requests.store(
            PostgresRequests.Response(
                status: response.status.code, fields: response.headers.lines,
                body: Data(collector.bytes.readableBytesView)), of: repeatable)
        return response
    }

    /// Returns the response of any server to a request; nil if none has handled it.
    ///
    /// - Throws: A ``Problem`` if the key belongs to another request or the response is lost.
    private static func response(to request: RepeatableRequest, _ requests: PostgresRequests) throws -> Response? {
        switch try requests.state(of: request) {
        case .new: return nil
        case .otherContent: throw Problem.keyReused
        case .handled(nil): throw Problem.alreadyHandled
        case .handled(let response?):
            return Response(
                status: .init(code: response.status), headers: HTTPFields(lines: response.fields),
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: response.body)))
        }
    }
}

extension Problem {
    fileprivate static let underWay = Problem(
        status: .conflict, code: "underWay", detail: "the request with this key is still being handled",
        fields: [.retryAfter: "1"])

    fileprivate static let keyReused = Problem(
        status: .unprocessableContent, code: "keyReused",
        detail: "the key belongs to another request; use a new one")

    /// The problem for a request whose server stopped between the change and the response.
    fileprivate static let alreadyHandled = Problem(
        status: .conflict, code: "alreadyHandled",
        detail: "the request with this key was handled, but its response is lost; read the current state")
}

extension HTTPFields {
    /// The fields, one per line. No field contains a line break.
    fileprivate var lines: String { map { "\($0.name.rawName): \($0.value)" }.joined(separator: "\n") }

    fileprivate init(lines: String) {
        self.init()
        for line in lines.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, let name = HTTPField.Name(String(parts[0])) else { continue }
            append(HTTPField(name: name, value: String(parts[1].dropFirst())))
        }
    }
}

/// The responses to recent requests by their `Idempotency-Key`, in memory.
final class IdempotencyKeys: Sendable {
    enum Beginning {
        case new
        case known(Response)
        case underWay
        case otherContent
    }

    private struct Entry {
        let content: String
        let time = ContinuousClock.now
        var response: Response?
    }

    /// The time for which responses are kept.
    private static let lifetime = Duration.seconds(86_400)
    /// The maximum number of responses; the oldest are dropped first.
    private static let capacity = 10_000

    private let entries = Mutex<[String: Entry]>([:])

    /// Begins a request with a key, unless the key is already known.
    func begin(_ key: String, content: String) -> Beginning {
        entries.withLock { entries in
            if let entry = entries[key], ContinuousClock.now - entry.time < Self.lifetime {
                guard entry.content == content else { return .otherContent }
                return entry.response.map { .known($0) } ?? .underWay
            }
            if entries.count >= Self.capacity {
                let oldest = entries.filter { $0.value.response != nil }.sorted { $0.value.time < $1.value.time }
                for (key, _) in oldest.prefix(Self.capacity / 10) { entries[key] = nil }
            }
            entries[key] = Entry(content: content)
            return .new
        }
    }

    /// Stores the response to a request, or forgets its key if it failed.
    func end(_ key: String, _ response: Response?) {
        entries.withLock { entries in
            if let response { entries[key]?.response = response } else { entries[key] = nil }
        }
    }
}

extension HTTPField.Name {
    fileprivate static let idempotencyKey = Self("Idempotency-Key")!
}
