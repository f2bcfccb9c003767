import HTTPTypes
import Hummingbird
import NIOCore
import SwitchboardJSON
import SwitchboardKit
import SwitchboardStorage

extension Response {
    static func json(
        _ value: some Encodable, status: HTTPResponse.Status = .ok, fields: HTTPFields = [:]
    ) throws -> Response {
        bytes(try OrderedJSON.bytes(value), type: "application/json", status: status, fields: fields)
    }

    /// Returns a 201 response with the location of the new resource.
    static func created(_ value: some Encodable, at path: String) throws -> Response {
        try json(value, status: .created, fields: [.location: path])
    }

    static func bytes(
        _ bytes: [UInt8], type: String, status: HTTPResponse.Status = .ok, fields: HTTPFields = [:]
    ) -> Response {
        var fields = fields
        fields[.contentType] = type
        return Response(status: status, headers: fields, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    static let noContent = Response(status: .noContent)

    static func problem(_ problem: Problem) -> Response {
        bytes(problem.bytes, type: Problem.contentType, status: problem.status, fields: problem.fields)
    }

    /// Returns the response with an `ETag`, and with a public `Cache-Control` if `maxAge` is given.
    func tagged(_ tag: String, maxAge seconds: Int? = nil) -> Response {
        var response = self
        response.headers[.eTag] = "\"\(tag)\""
        if let seconds { response.headers[.cacheControl] = "public, max-age=\(seconds)" }
        return response
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

/// A page of a list: `{"results": […], "nextCursor": "…", "total": …}`, without the cursor on the last one.
///
/// Clients treat a cursor as opaque.
struct Page<Row: Encodable & Sendable>: Encodable, Sendable {
    let results: [Row]
    let nextCursor: String?
    /// The number of rows on all pages.
    let total: Int

    init(_ page: ListPage<Row>) {
        total = page.total
        results = page.rows
        nextCursor = page.next?.description
    }
}

/// A page of search results: a response with `nextCursor` and with `total`, or with `totalExceeds` if there are more
/// results than the search looked for.
struct SearchPage: JSONObjectEncodable, Sendable {
    /// The maximum number of results on all pages. Few people read that far, and every row costs time.
    static let maximumResults = 1_000

    private var response: SearchResponse
    private let nextCursor: String?
    private let total: Int?
    private let totalExceeds: Int?

    /// Searches for a page.
    ///
    /// - Parameters:
    ///   - offset: The number of results before the page; nil for the first page, which is the cheapest.
    ///   - search: Returns up to the given number of results.
    init(at offset: Int?, limit: Int, _ search: (Int) throws -> SearchResponse) throws {
        let maximum = offset == nil ? limit : Self.maximumResults
        response = try search(maximum + 1)
        let (count, start) = (response.results.count, offset ?? 0)
        let end = min(start + limit, maximum)
        total = count <= maximum ? count : response.total
        totalExceeds = total == nil ? maximum : nil
        nextCursor = end < count && end < Self.maximumResults ? String(end) : nil
        response.results = Array(response.results.prefix(end).dropFirst(start))
    }

    func encode(to members: inout JSONMembers) throws {
        try response.encode(to: &members)
        if let nextCursor { try members.add("nextCursor", nextCursor) }
        if let total { try members.add("total", total) }
        if let totalExceeds { try members.add("totalExceeds", totalExceeds) }
    }
}
