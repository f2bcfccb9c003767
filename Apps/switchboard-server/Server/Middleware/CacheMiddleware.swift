import HTTPTypes
import Hummingbird
import SwitchboardAirports
import SwitchboardKit
import SwitchboardStorage
import Synchronization

/// Responds from the cache of airport responses, on the event loop, or with 304 if the client has the response.
struct CacheMiddleware: ServerMiddleware {
    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let (server, address) = (context.server, request.head.path ?? "")
        let cache = server.responseCache
        var generation = cache.generation
        if generation == nil {
            generation = try await WorkLane.open.run { try cache.readGeneration(of: server.shared) }
        }
        guard let generation else { return try await next(request, context) }
        let key = CompressionMiddleware.isAccepted(by: request) ? "gzip " + address : address
        if let known = cache.response(for: key, generation) { return Self.response(to: request, known) }
        var response = try await next(request, context)
        guard response.status == .ok else { return response }
        if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "public, max-age=60" }
        cache.keep(response, for: key, generation)
        return Self.response(to: request, response)
    }

    /// Returns a response, or 304 if the client already has it.
    private static func response(to request: Request, _ response: Response) -> Response {
        guard let tag = response.headers[.eTag],
            request.headers[.ifNoneMatch].map({ EntityTag.list($0, contains: EntityTag.bare(tag)) })
                ?? false
        else { return response }
        return Response(
            status: .notModified,
            headers: [.eTag: tag, .cacheControl: response.headers[.cacheControl] ?? "", .vary: "Accept-Encoding"])
    }
}

/// A cache of airport responses, which are public and valid until the popular list changes.
///
/// Many clients type the same prefixes, so most requests of a picker hit the cache. Two tables approximate LRU
/// eviction: a hit in the older table moves the entry to the newer one, and when the newer table is full, it replaces
/// the older one. Memory is bounded, and no list needs reordering on each request.
final class ResponseCache: Sendable {
    private struct Tables {
        var generation: Int64 = -1
        var checkedAt: ContinuousClock.Instant?
        var newer: [String: Response] = [:]
        var older: [String: Response] = [:]
        var newerBytes = 0

        mutating func keep(_ response: Response, for key: String, capacity: Int) {
            // A response has an overhead of a few hundred bytes.
            let bytes = response.byteCount + key.utf8.count + 500
            if newerBytes + bytes > capacity {
                older = newer
                newer = [:]
                newerBytes = 0
            }
            newer[key] = response
            newerBytes += bytes
        }
    }

    /// The interval at which the generation of the popular list is checked.
    private static let checkInterval = Duration.milliseconds(100)
    /// The maximum length of a key; longer addresses are rarely repeated.
    private static let maximumKeyLength = 200

    /// The maximum number of bytes in one table.
    private let capacity: Int
    private let tables = Mutex(Tables())

    /// - Parameter capacity: The maximum number of bytes in each of the two tables; 0 disables the cache.
    init(capacity: Int) {
        self.capacity = capacity
    }

    /// The generation of the popular list; nil if it needs to be read again.
    var generation: Int64? {
        let now = ContinuousClock.now
        return tables.withLock { tables in
            tables.checkedAt.flatMap { now - $0 < Self.checkInterval ? tables.generation : nil }
        }
    }

    func readGeneration(of switchboard: Switchboard) throws -> Int64 {
        let generation = try switchboard.storage.generation(of: Airports.popularGeneration)
        tables.withLock { tables in
            if tables.generation != generation { tables = Tables(generation: generation) }
            tables.checkedAt = .now
        }
        return generation
    }

    func response(for key: String, _ generation: Int64) -> Response? {
        tables.withLock { tables in
            guard tables.generation == generation else { return nil }
            if let response = tables.newer[key] { return response }
            guard let response = tables.older[key] else { return nil }
            tables.keep(response, for: key, capacity: capacity)
            return response
        }
    }

    func keep(_ response: Response, for key: String, _ generation: Int64) {
        guard key.utf8.count <= Self.maximumKeyLength, response.byteCount <= capacity / 16 else { return }
        tables.withLock { tables in
            if tables.generation == generation { tables.keep(response, for: key, capacity: capacity) }
        }
    }
}

extension Response {
    /// The size of the body in bytes; 0 for a stream.
    fileprivate var byteCount: Int { body.contentLength ?? 0 }
}
