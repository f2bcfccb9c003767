import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import NIOPosix
import SwitchboardAccounts
import SwitchboardKit

/// A request together with its route, server and caller, as a route handler sees it.
struct RouteContext: Sendable {
    let request: Request
    let route: Route
    let server: Server
    /// The caller; nil on routes that need no sign-in.
    let access: Access?
    let address: ClientAddress
    let query: QueryString
    private let pathParameters: Parameters

    init(
        _ request: Request, _ route: Route, _ server: Server, _ access: Access?, _ address: ClientAddress,
        _ context: ServerRequestContext
    ) throws {
        self.request = request
        self.route = route
        self.server = server
        self.access = access
        self.address = address
        query = try QueryString(request.uri.query)
        pathParameters = context.parameters
    }

    var fields: HTTPFields { request.headers }

    // MARK: - Parameters

    /// Returns a parameter of the path, such as the identifier of a contact.
    ///
    /// - Throws: A ``Problem`` if the parameter is not valid UTF-8.
    func pathParameter(_ name: String) throws -> String {
        guard let raw = pathParameters.get(name), let text = QueryString.decoded(raw.utf8) else {
            throw Problem.badRequest("the path is not valid UTF-8")
        }
        return text
    }

    /// Returns the maximum number of rows, 1 to 100.
    func limit(default defaultLimit: Int = 10) throws -> Int {
        try integer("limit", in: 1...100) ?? defaultLimit
    }

    /// Returns an integer parameter within a range.
    func integer(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
        guard let text = query[name] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw Problem.badRequest(
                "\(name): “\(text)” is out of range; use a number from \(range.lowerBound) to \(range.upperBound)",
                code: "badParameter")
        }
        return number
    }

    /// Returns a number within a range.
    func number(_ name: String, in range: ClosedRange<Double>) throws -> Double? {
        guard let text = query[name] else { return nil }
        guard let number = Double(text), range.contains(number) else {
            throw Problem.badRequest(
                "\(name): “\(text)” is out of range; use a number from \(range.lowerBound) to \(range.upperBound)",
                code: "badParameter")
        }
        return number
    }

    /// Returns one of an enumeration's cases.
    func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String, default defaultChoice: Choice
    ) throws -> Choice where Choice.RawValue == String {
        guard let text = query[name] else { return defaultChoice }
        guard let choice = Choice(rawValue: text) else {
            let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem.badRequest("\(name): unknown value “\(text)”; use one of \(known)", code: "badParameter")
        }
        return choice
    }

    /// Returns the `language` parameter, a tag such as "ru".
    func language() throws -> String? {
        guard let text = query["language"] else { return nil }
        guard (2...35).contains(text.utf8.count), text.utf8.allSatisfy({ $0.isTagByte }) else {
            throw Problem.badRequest("language: invalid tag “\(text)”; use a tag such as ru", code: "badParameter")
        }
        return text
    }

    /// Returns the number of rows before the requested page.
    func offset() throws -> Int {
        guard let cursor = query["cursor"] else { return 0 }
        guard let offset = Cursor.offset(cursor) else {
            throw Problem.badRequest("cursor: invalid value; use nextCursor of the previous page", code: "badParameter")
        }
        return offset
    }

    // MARK: - The body

    /// Reads the whole body.
    ///
    /// - Throws: A ``Problem`` with status 413 if the body exceeds the limit of the route.
    func body() async throws -> [UInt8] {
        let limit = route.bodyLimit
        if let length = fields[.contentLength].flatMap({ Int($0) }), length > limit { throw Problem.tooLarge(limit) }
        do {
            let buffer = try await request.body.collect(upTo: limit)
            return Array(buffer.readableBytesView)
        } catch is NIOTooManyBytesError {
            throw Problem.tooLarge(limit)
        }
    }

    /// Reads the body as a JSON object. An empty body is an object without members unless the route requires a body.
    func jsonObject() async throws -> JSONObject {
        let bytes = try await body()
        if bytes.isEmpty, route.body?.isRequired ?? false {
            throw Problem.badRequest("the body is missing; send a JSON object", code: "malformedInput")
        }
        return try JSONObject(bytes)
    }

    // MARK: - Work

    /// Returns the identifier of the caller.
    func personID() throws -> String {
        guard let access else { throw Problem.unauthorized }
        return access.person.id
    }

    /// Runs blocking work, such as reading a file, on the thread pool.
    func runBlocking<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await NIOThreadPool.singleton.runIfActive(body)
    }

    /// Runs blocking work with the caller's database.
    func withDatabase<Value: Sendable>(_ body: @escaping @Sendable (Switchboard) throws -> Value) async throws -> Value
    {
        guard let access else { throw Problem.unauthorized }
        let databases = server.databases
        return try await runBlocking { try databases.use(access.person, body) }
    }

    /// A check for searches: returns `true` once the client has disconnected.
    ///
    /// A client that has closed only its sending side may still be waiting, so the first 50 ms never count.
    var isCancelled: @Sendable () -> Bool {
        guard let connection = ConnectionState.current else { return { false } }
        let start = ContinuousClock.now
        return { connection.hasEnded && ContinuousClock.now - start > .milliseconds(50) }
    }
}

extension UInt8 {
    fileprivate var isTagByte: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
        default: false
        }
    }
}
