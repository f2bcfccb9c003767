import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import NIOPosix
import SwitchboardAccounts
import SwitchboardKit

/// One request, as the handler of a route sees it.
struct Call: Sendable {
    let request: Request
    let route: Route
    let server: Server
    /// Who asks; nil where nobody has to sign in.
    let access: Access?
    let address: ClientAddress
    /// The parameters of the address.
    let query: QueryString
    private let pathParameters: Parameters

    init(
        _ request: Request, _ route: Route, _ server: Server, _ access: Access?, _ address: ClientAddress,
        _ context: ServerContext
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

    /// A part of the path, such as the identifier of a contact.
    ///
    /// - Throws: a ``Problem`` if it is no UTF-8.
    func path(_ name: String) throws -> String {
        guard let raw = pathParameters.get(name), let text = QueryString.decoded(raw.utf8) else {
            throw Problem.badRequest("the path is not well-formed UTF-8")
        }
        return text
    }

    /// How many rows: 1 to 100.
    func limit(usual: Int = 10) throws -> Int { try integer("limit", in: 1...100) ?? usual }

    /// A whole number in a range.
    func integer(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
        guard let text = query[name] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw Problem.badRequest(
                "\(name): give a number from \(range.lowerBound) to \(range.upperBound), not “\(text)”",
                code: "badParameter")
        }
        return number
    }

    /// A number in a range.
    func number(_ name: String, in range: ClosedRange<Double>) throws -> Double? {
        guard let text = query[name] else { return nil }
        guard let number = Double(text), range.contains(number) else {
            throw Problem.badRequest(
                "\(name): give a number from \(range.lowerBound) to \(range.upperBound), not “\(text)”",
                code: "badParameter")
        }
        return number
    }

    /// One of a few words.
    func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String, usual: Choice
    ) throws -> Choice where Choice.RawValue == String {
        guard let text = query[name] else { return usual }
        guard let choice = Choice(rawValue: text) else {
            let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem.badRequest("\(name): there is no “\(text)”; give \(known)", code: "badParameter")
        }
        return choice
    }

    /// The language of titles: `language`, a tag such as "ru".
    func language() throws -> String? {
        guard let text = query["language"] else { return nil }
        guard (2...35).contains(text.utf8.count), text.utf8.allSatisfy({ $0.isTagByte }) else {
            throw Problem.badRequest("language: give a tag such as ru, not “\(text)”", code: "badParameter")
        }
        return text
    }

    /// Where the last page ended; 0 for the first one.
    func offset() throws -> Int {
        guard let cursor = query["cursor"] else { return 0 }
        guard let offset = Cursor.offset(cursor) else {
            throw Problem.badRequest("cursor: give the nextCursor of the page before", code: "badParameter")
        }
        return offset
    }

    // MARK: - The body

    /// The whole body.
    ///
    /// - Throws: a ``Problem``: 413 if there are more bytes than the route takes, 408 if they do not come.
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

    /// The body as an object of JSON; an empty one is an object without members where a body is not required.
    func object() async throws -> JSONObject {
        let bytes = try await body()
        if bytes.isEmpty, route.body?.isRequired ?? false {
            throw Problem.badRequest("the body is missing; send a JSON object", code: "malformedInput")
        }
        return try JSONObject(bytes)
    }

    // MARK: - Work

    /// The identifier of who asks.
    func personID() throws -> String {
        guard let access else { throw Problem.unauthorized }
        return access.person.id
    }

    /// Does something that may take its time, such as reading a file, on a thread that may wait.
    func work<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await NIOThreadPool.singleton.runIfActive(body)
    }

    /// Does something with what the person who asks has.
    func person<Value: Sendable>(_ body: @escaping @Sendable (Switchboard) throws -> Value) async throws -> Value {
        guard let access else { throw Problem.unauthorized }
        let databases = server.databases
        return try await work { try databases.use(access.person, body) }
    }

    /// Whether the client has gone away, for searches. One that has only said that it sends no more gets some time: it may wait.
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
