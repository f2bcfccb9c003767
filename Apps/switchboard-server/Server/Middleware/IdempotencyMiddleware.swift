import HTTPTypes
import Hummingbird
import NIOCore
import SwitchboardAccounts
import Synchronization

/// Repeats the response to a POST request with a known `Idempotency-Key` instead of handling it again.
///
/// A client whose connection breaks cannot know whether its request was handled; with a key it can send it again.
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
        case .underWay:
            throw Problem(
                status: .conflict, code: "underWay", detail: "the request with this key is still being handled",
                fields: [.retryAfter: "1"])
        case .otherContent:
            throw Problem(
                status: .unprocessableContent, code: "keyReused",
                detail: "the key belongs to another request; use a new one")
        case .new:
            do {
                var request = request
                request.body = RequestBody(buffer: ByteBuffer(bytes: body))
                let response = try await next(request, context)
                keys.end(name, response)
                return response
            } catch {
                // Nothing was changed.
                keys.end(name, nil)
                throw error
            }
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

    /// Begins a request with a key, unless there is one.
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
