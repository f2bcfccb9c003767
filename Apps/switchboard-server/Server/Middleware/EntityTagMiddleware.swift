import HTTPTypes
import Hummingbird

/// Tags the responses of a GET route with a hash of their content, and makes private responses cacheable only by the
/// client, which has to ask whether they are still valid.
struct EntityTagMiddleware: ServerMiddleware {
    let route: Route

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        guard response.status.kind == .successful else { return response }
        if route.access != .open, response.headers[.cacheControl] == nil {
            response.headers[.cacheControl] = "private, no-cache"
        }
        guard route.method == .get, response.status == .ok, response.headers[.eTag] == nil,
            response.body.contentLength != nil
        else { return response }
        let collector = BodyCollector()
        try await response.body.write(collector)
        let bytes = Array(collector.bytes.readableBytesView)
        // The time of a search is not part of its result, so the tag of a search is a weak one.
        let (content, isTimed) = Self.withoutTime(bytes)
        let tag = EntityTag.of(content)
        let field = (isTimed ? "W/" : "") + "\"\(tag)\""
        response.headers[.eTag] = field
        // The cache of public responses compares the tags itself.
        if route.isCached || !request.knows(tag) {
            response.body = ResponseBody(byteBuffer: collector.bytes)
            return response
        }
        var headers: HTTPFields = [.eTag: field, .cacheControl: "private, no-cache"]
        headers[.eventID] = response.headers[.eventID]
        return Response(status: .notModified, headers: headers)
    }

    /// Returns a JSON object without the value of `elapsedMicroseconds`, if it has one near its beginning.
    private static func withoutTime(_ bytes: [UInt8]) -> (bytes: [UInt8], isTimed: Bool) {
        let name = Array("\"elapsedMicroseconds\": ".utf8)
        guard let range = bytes.prefix(16 << 10).firstRange(of: name) else { return (bytes, false) }
        let rest = bytes[range.upperBound...].drop { $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "}") }
        return (Array(bytes[..<range.lowerBound] + rest), true)
    }
}
