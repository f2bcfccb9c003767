import HTTPTypes
import Hummingbird

/// Tags the responses of a GET route with a hash of their content, and makes private responses cacheable only by the
/// client, which must revalidate them.
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
        // The elapsed time is not part of a search result, so the tag of a search is weak.
        let (start, end, isTimed) = Self.aroundTime(bytes)
        let tag = EntityTag.of(start, end)
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

    private static let timeName = Array("\"elapsedMicroseconds\": ".utf8)

    /// Splits a JSON object around the member `elapsedMicroseconds`, if it has one near its beginning.
    private static func aroundTime(
        _ bytes: [UInt8]
    ) -> (start: ArraySlice<UInt8>, end: ArraySlice<UInt8>, isTimed: Bool) {
        let name = timeName
        for start in 0..<max(0, min(bytes.count, 16 << 10) - name.count)
        where bytes[start] == name[0] && bytes[start + 1] == name[1] && bytes[start...].starts(with: name) {
            let rest = bytes[(start + name.count)...].drop { $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "}") }
            return (bytes[..<start], rest, true)
        }
        return (bytes[...], [], false)
    }
}
