import Crypto
import Foundation
import HTTPTypes
import Hummingbird

/// Entity tags: the first half of the SHA-256 of the content.
enum EntityTag {
    static func of(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for byte in SHA256.hash(data: bytes).prefix(16) {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static let digits = Array("0123456789abcdef".utf8)

    /// The suffix that distinguishes the tags of compressed responses from uncompressed ones.
    static let gzipSuffix = "-gzip"

    /// Returns whether a list of tags contains a tag, in any encoding.
    static func list(_ list: String, contains tag: String) -> Bool {
        list.split(separator: ",").contains { candidate in
            let bare = bare(candidate.trimmingCharacters(in: .whitespaces))
            return bare == "*" || bare == tag || bare == tag + gzipSuffix
        }
    }

    /// Returns the tag in a header field, without its quotation marks and the weak prefix `W/`.
    static func bare(_ text: String) -> String {
        (text.hasPrefix("W/") ? String(text.dropFirst(2)) : text).trimmingCharacters(
            in: CharacterSet(charactersIn: "\""))
    }
}

extension Request {
    /// Returns whether `If-None-Match` contains a tag (RFC 9110, section 13.1.2), in any encoding.
    func knows(_ tag: String) -> Bool { headers[.ifNoneMatch].map { EntityTag.list($0, contains: tag) } ?? false }

    /// Returns whether the version with a tag may be changed: `If-Match` (RFC 9110, section 13.1.1) is missing or
    /// contains the tag, in any encoding.
    func permitsChange(of tag: String) -> Bool { headers[.ifMatch].map { EntityTag.list($0, contains: tag) } ?? true }

    /// Returns a response with its tag, or 304 if the client already has that version.
    func response(
        tagged tag: String, maxAge: Int? = nil, fields: HTTPFields = [:], _ make: () throws -> Response
    ) rethrows -> Response {
        var response = knows(tag) ? Response(status: .notModified) : try make()
        for field in fields { response.headers[field.name] = field.value }
        return response.tagged(tag, maxAge: maxAge)
    }
}

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
        let tag = EntityTag.of(Array(collector.bytes.readableBytesView))
        let field = "\"\(tag)\""
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
}
