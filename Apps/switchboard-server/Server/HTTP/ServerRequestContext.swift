import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import SwitchboardAccounts
import SwitchboardJSON
import SwitchboardKeypad
import SwitchboardKit
import SwitchboardStorage

/// A middleware of the server's routes.
protocol ServerMiddleware: RouterMiddleware where Context == ServerRequestContext {}

/// The context of a request: the server, the client, and the results of the middleware.
struct ServerRequestContext: RequestContext {
    /// The values from which a context is created.
    struct Source: RequestContextSource {
        let server: Server
        let request: Request
        let channel: any Channel
        let logger: Logger
    }

    var coreContext: CoreRequestContextStorage
    let server: Server
    let client: ClientAddress
    /// The method of the request; the router sees TRACE instead of an unknown one.
    let method: HTTPRequest.Method
    /// The body that the route accepts.
    var body: Route.Body?
    var query = QueryString()
    /// The token of the caller; nil on routes that need no sign-in.
    var access: Token?

    init(source: Source) {
        coreContext = CoreRequestContextStorage(source: source)
        server = source.server
        client = ClientAddress(
            source.channel.remoteAddress, source.request, header: server.options.forwardedHeader,
            proxies: server.options.trustedProxies, isBehindProxy: server.options.isBehindProxy)
        method = source.request.method
    }

    // MARK: - The caller

    /// The person who sent the request.
    ///
    /// - Throws: A ``Problem`` on routes that need no sign-in.
    var person: Person { get throws { try token.person } }

    /// The token of the request or of its session.
    ///
    /// - Throws: A ``Problem`` on routes that need no sign-in.
    var token: Token {
        get throws {
            guard let access else { throw Problem.unauthorized }
            return access
        }
    }

    /// Calls a closure with the caller's database.
    ///
    /// In a cluster, an idempotent request calls it again if another server changed the database first.
    func withDatabase<Value>(_ body: (Switchboard) throws -> Value) throws -> Value {
        let person = try person
        if ![.get, .head, .delete].contains(method) { try server.requireRoom(for: person) }
        return try server.store.repeating(if: [.get, .head, .put, .delete].contains(method)) {
            try server.databases.use(person, body)
        }
    }

    /// Returns a response with the JSON of a value from the caller's database.
    func json(_ body: (Switchboard) throws -> some Encodable) throws -> Response {
        try .json(try withDatabase(body))
    }

    /// Returns a file of texts that a closure writes from the caller's database.
    func file(
        _ name: String, _ type: String, _ write: (Switchboard, (String) throws -> Void) throws -> some Any
    ) throws -> Response {
        let text = try withDatabase { switchboard in
            var text = ""
            _ = try write(switchboard) { text += $0 }
            return text
        }
        return .bytes(
            Array(text.utf8), type: type, fields: [.contentDisposition: "attachment; filename=\(name)"])
    }

    /// Changes the caller's database, and returns an empty response.
    func change(_ body: (Switchboard) throws -> some Any) throws -> Response {
        _ = try withDatabase(body)
        return .noContent
    }

    /// Calls a closure with the caller's database, in a transaction if the request has `If-Match`.
    ///
    /// - Parameter current: Returns the same representation as a GET request.
    /// - Throws: A ``Problem`` with status 412 if `If-Match` lacks the tag of the current representation, the errors of
    ///   the closures.
    func withDatabase<Value>(
        ifMatching request: Request, _ current: (Switchboard) throws -> some Encodable,
        _ body: (Switchboard) throws -> Value
    ) throws -> Value {
        try withDatabase { switchboard in
            guard request.headers[.ifMatch] != nil else { return try body(switchboard) }
            return try switchboard.storage.write { _ in
                let bytes = try OrderedJSON.bytes(current(switchboard))
                guard request.permitsChange(of: EntityTag.of(bytes)) else { throw Problem.preconditionFailed(bytes) }
                return try body(switchboard)
            }
        }
    }

    /// Changes a resource of the caller's database if it matches `If-Match`, and returns its new representation with
    /// the same tag as a GET request.
    func change<Representation: Encodable>(
        _ request: Request, current: (Switchboard) throws -> Representation,
        _ body: (Switchboard) throws -> Representation
    ) throws -> Response {
        let bytes = try OrderedJSON.bytes(withDatabase(ifMatching: request, current, body))
        return .bytes(bytes, type: "application/json").tagged(EntityTag.of(bytes))
    }

    /// Removes a resource of the caller's database if it matches `If-Match`, and returns an empty response.
    func remove(
        _ request: Request, current: (Switchboard) throws -> some Encodable, _ body: (Switchboard) throws -> some Any
    ) throws -> Response {
        _ = try withDatabase(ifMatching: request, current) { _ = try body($0) }
        return .noContent
    }

    // MARK: - Parameters

    var pathID: String { get throws { try pathParameter("id") } }

    /// Returns a parameter of the path, such as the identifier of a contact.
    func pathParameter(_ name: String) throws -> String {
        guard let text = parameters.get(name)?.removingPercentEncoding else {
            throw Problem.badRequest("the path is not valid UTF-8")
        }
        // Databases truncate text at U+0000 and would find another object.
        guard !text.utf8.contains(0) else { throw Problem.notFound }
        return text
    }

    /// Returns the maximum number of rows, 1 to 100.
    func limit(default defaultLimit: Int = 10) throws -> Int {
        try number("limit", in: 1...100) ?? defaultLimit
    }

    /// Returns a number within a range; nil if missing.
    func number<Number: LosslessStringConvertible & Comparable>(
        _ name: String, in range: ClosedRange<Number>
    ) throws -> Number? {
        guard let text = query[name] else { return nil }
        guard let number = Number(text), range.contains(number) else {
            throw Problem.badParameter(
                "\(name): “\(text)” is out of range; use a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Returns a parameter that names a case of an enumeration.
    func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String, default defaultChoice: Choice
    ) throws -> Choice where Choice.RawValue == String {
        guard let text = query[name] else { return defaultChoice }
        guard let choice = Choice(rawValue: text) else {
            let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem.badParameter("\(name): unknown value “\(text)”; use one of \(known)")
        }
        return choice
    }

    private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

    /// Returns the `language` parameter, a tag such as "ru".
    func language() throws -> String? {
        guard let text = query["language"] else { return nil }
        let isTag = text.utf8.allSatisfy {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) || Self.digits.contains($0)
                || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
        }
        guard isTag, (2...35).contains(text.utf8.count) else {
            throw Problem.badParameter("language: invalid tag “\(text)”; use a tag such as ru")
        }
        return text
    }

    /// Returns the number of rows before the requested page.
    func offset() throws -> Int {
        guard let cursor = query["cursor"] else { return 0 }
        guard cursor.utf8.allSatisfy(Self.digits.contains), cursor.utf8.count <= 9, let offset = Int(cursor) else {
            throw Self.invalidCursor
        }
        return offset
    }

    private static var invalidCursor: Problem {
        .badParameter("cursor: invalid value; use nextCursor of the previous page")
    }

    /// Returns the place of the requested page of search results; nil without a cursor.
    func searchCursor() throws -> SearchCursor? {
        guard let text = query["cursor"] else { return nil }
        guard let cursor = SearchCursor(text) else { throw Self.invalidCursor }
        return cursor
    }

    /// Returns the position at which the requested page of a long list begins.
    func listCursor() throws -> ListCursor {
        guard let text = query["cursor"] else { return .rows(0) }
        guard let cursor = ListCursor(text) else { throw Self.invalidCursor }
        return cursor
    }

    /// Returns the search input: the text of `q` or the digits of `keypad`; `keypad=true` reads `q` as digits.
    ///
    /// - Throws: A ``Problem`` for both a text and digits, `KeypadError` for digits that are none.
    func searchInput() throws -> SearchInput {
        let text = query["q"] ?? ""
        guard let digits = query["keypad"], !digits.isEmpty else { return SearchInput(text) }
        // Next to `q`, the parameter may be a Boolean.
        if query["q"] != nil {
            if digits == "false" || digits == "0" { return SearchInput(text) }
            if digits == "true" || digits == "1" { return try SearchInput(keys: text) }
            throw Problem.badParameter("q, keypad: a search has a text or digits; use one of them, or keypad=true")
        }
        return try SearchInput(keys: digits)
    }

    /// Returns a Boolean; false if missing.
    func flag(_ name: String) throws -> Bool {
        switch query[name] {
        case nil, "false": return false
        case "true": return true
        case let text?:
            throw Problem.badParameter("\(name): cannot read “\(text)”; use true or false")
        }
    }

    // MARK: - The body

    /// Reads the whole body of a request.
    ///
    /// - Throws: A ``Problem`` with status 413 if the body exceeds the limit of the route, `CancellationError` if the
    ///   client disconnects.
    func body(of request: Request) async throws -> [UInt8] {
        if let coding = request.headers[.contentEncoding], coding.lowercased() != "identity" {
            throw Problem.encodedBody
        }
        if let body, let type = request.headers[.contentType], !body.accepts(type) {
            throw Problem.wrongType(type, body.types)
        }
        let limit = body?.limit ?? Route.Body.defaultLimit
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limit {
            throw Problem.tooLarge(limit)
        }
        do {
            return Array(try await request.body.collect(upTo: limit).readableBytesView)
        } catch is NIOTooManyBytesError {
            throw Problem.tooLarge(limit)
        } catch {
            throw CancellationError()
        }
    }

    /// Reads the body as a JSON object. An empty body is an object without members unless the route requires a body.
    ///
    /// - Parameter known: The members that the object may have.
    func object(of request: Request, known: Set<String>) async throws -> JSONObject {
        let bytes = try await body(of: request)
        if bytes.isEmpty, body?.isRequired ?? false {
            throw Problem.malformed("the body is missing; send a JSON object")
        }
        return try JSONObject(bytes, known: known)
    }
}

/// The query parameters of a URL, decoded strictly.
///
/// The format is `application/x-www-form-urlencoded` (WHATWG URL, section 5): `+` is a space, and `%` with two
/// hexadecimal digits is a byte of UTF-8. Invalid UTF-8 and malformed escapes are rejected.
struct QueryString: Sendable {
    private var pairs: [(name: String, value: String)] = []

    init() {}

    init(_ text: String) throws(Problem) {
        for piece in text.split(separator: "&") {
            let halves = piece.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decoded(halves[0]), let value = halves.count > 1 ? Self.decoded(halves[1]) : "" else {
                throw .badRequest("the query parameters are not valid UTF-8")
            }
            // Databases truncate text at U+0000, so “news%00” would be the domain “news”.
            if value.utf8.contains(0) { throw .badParameter("\(name): \(ErrorDetails.nulReason)") }
            pairs.append((name, value))
        }
    }

    /// The value of a parameter; the last one if it is repeated.
    subscript(_ name: String) -> String? { pairs.last { $0.name == name }?.value }

    /// The names of the parameters.
    var names: [String] { pairs.map(\.name) }

    private static func decoded(_ text: Substring) -> String? {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else {
            return String(text)
        }
        return text.replacing("+", with: " ").removingPercentEncoding
    }
}
