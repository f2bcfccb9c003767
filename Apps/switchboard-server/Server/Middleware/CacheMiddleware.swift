import HTTPTypes
import Hummingbird
import NIOCore
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
        var kept = response
        // The next response needs no search.
        if kept.headers[.serverTiming] != nil { kept.headers[.serverTiming] = "search;dur=0" }
        cache.keep(kept, for: key, generation)
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

/// Compresses responses with gzip if the client accepts it and the result is smaller.
struct CompressionMiddleware: ServerMiddleware {
    /// The minimum size of a body to compress; smaller ones fit into one packet anyway.
    private static let minimumByteCount = 1_024
    static let problems: Set<Substring> = [Problem.contentType[...]]

    /// The types of bodies to compress.
    var types: Set<Substring> = [
        "application/json", "text/html", "text/css", "text/javascript", "image/svg+xml",
        "application/manifest+json", "text/calendar", "text/plain",
    ]

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        // A client that already has the compressed response gets the tag of that response.
        if response.status == .notModified, let tag = response.headers[.eTag].map(Self.compressedTag),
            request.headers[.ifNoneMatch]?.contains(tag) ?? false
        {
            response.headers[.eTag] = tag
        }
        guard let count = response.body.contentLength, count >= Self.minimumByteCount,
            response.headers[.contentEncoding] == nil,
            let type = response.headers[.contentType]?.prefix(while: { $0 != ";" }), types.contains(type)
        else { return response }
        response.headers[.vary] = "Accept-Encoding"
        guard Self.isAccepted(by: request) else { return response }
        let collector = BodyCollector()
        try await response.body.write(collector)
        // Responses that clients keep for an hour or more are worth the time of the best compression.
        let policy = response.headers[.cacheControl] ?? ""
        let level: Int32 = policy.contains("immutable") || policy.contains("max-age=3600") ? 9 : 1
        guard let packed = try? Gzip.compress(collector.bytes.readableBytesView, level: level), packed.count < count
        else {
            return response
        }
        response.headers[.contentEncoding] = "gzip"
        response.headers[.eTag] = response.headers[.eTag].map(Self.compressedTag)
        response.body = ResponseBody(byteBuffer: ByteBuffer(bytes: packed))
        return response
    }

    private static func compressedTag(_ tag: String) -> String { tag.dropLast() + EntityTag.gzipSuffix + "\"" }

    /// Returns whether the `Accept-Encoding` field allows gzip (RFC 9110, section 12.5.3).
    static func isAccepted(by request: Request) -> Bool {
        guard let field = request.headers[.acceptEncoding] else { return false }
        return field.split(separator: ",").contains { part in
            let pieces = part.split(separator: ";").map { $0.filter { !$0.isWhitespace }.lowercased() }
            guard let coding = pieces.first, coding == "gzip" || coding == "*" else { return false }
            let weight = pieces.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 }
            return weight ?? 1 > 0
        }
    }
}

/// Collects the bytes of a response body.
final class BodyCollector: ResponseBodyWriter {
    var bytes = ByteBuffer()

    func write(_ buffer: ByteBuffer) { bytes.writeImmutableBuffer(buffer) }

    func finish(_ trailingHeaders: HTTPFields?) {}
}
