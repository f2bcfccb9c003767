import Foundation
import HTTPTypes
import Hummingbird
import NIOPosix
import SwitchboardAccounts
import SwitchboardContactSync
import SwitchboardDAV
import SwitchboardJSON
import SwitchboardKit
import SwitchboardReminders
import SwitchboardStorage
import SwitchboardVCard

/// CardDAV and CalDAV: the address books and tasks of a person for telephones and mail programs (RFC 4918, 4791, 6352,
/// 6578).
enum DAV {
    static let methods: [HTTPRequest.Method] = [
        .options, .get, .head, .put, .delete, .propfind, .proppatch, .report,
    ]
    /// Methods of WebDAV that no address here supports.
    private static let refusedMethods: [HTTPRequest.Method] = [
        .post, .patch, .trace, .mkcol, .mkcalendar, .copy, .move, .lock, .unlock,
    ]
    private static let classes = "1, 3, addressbook, calendar-access"
    private static let wellKnownPaths = ["/.well-known/carddav", "/.well-known/caldav"]

    /// Returns `true` if the router knows the method of a request at its path.
    static func accepts(_ request: Request) -> Bool {
        let path = request.uri.path
        let isOurs = path == DAVPath.prefix || path.hasPrefix(DAVPath.prefix + "/") || wellKnownPaths.contains(path)
        if path == "/" { return request.method == .propfind }
        return isOurs && (methods + refusedMethods).contains(request.method)
    }

    /// Adds the addresses to a router.
    static func add(to router: Router<ServerRequestContext>) {
        for path in wellKnownPaths {
            for method in methods + refusedMethods where method != .head {
                router.on(RouterPath(path), method: method) { _, _ in
                    Response(status: .movedPermanently, headers: [.location: DAVPath.prefix + "/"])
                }
            }
        }
        let group = router.group()
        group.add(middleware: WorkLaneMiddleware(lane: .writing))
        group.add(middleware: CompressionMiddleware(types: ["application/xml"]))
        for method in methods + refusedMethods where method != .head {
            for path in [DAVPath.prefix, DAVPath.prefix + "/**"] {
                group.on(RouterPath(path), method: method) { try await respond(to: $0, $1) }
            }
        }
        group.on("/", method: .propfind) { try await respond(to: $0, $1) }
    }

    /// The response to OPTIONS, also at the root, which clients try first.
    static var capabilities: Response {
        let fields: HTTPFields = [.allow: methods.map(\.rawValue).joined(separator: ", "), .dav: classes]
        return Response(status: .ok, headers: fields)
    }

    private static func respond(to request: Request, _ context: ServerRequestContext) async throws -> Response {
        if request.method == .options { return capabilities }
        var context = context
        let token = try authenticate(request, context)
        context.access = token
        guard let path = DAVPath(request.uri.path) else {
            // A collection that a client wants to make has no address yet.
            guard [.mkcol, .mkcalendar].contains(request.method) else { throw Problem.notFound }
            return failure(.forbidden, .dav("need-privileges"))
        }
        guard path.isOf(token.person) else { throw Problem.notFound }
        do {
            var response = try await DAVExchange(request, context, token, path).response()
            response.headers[.dav] = classes
            return response
        } catch let error as DAVError {
            guard case .unmetPrecondition(let name) = error else { throw Problem(badRequest: error) }
            return failure(.forbidden, name)
        }
    }

    static func failure(
        _ status: HTTPResponse.Status, _ condition: DAVName, href: String? = nil, explanation: String? = nil
    ) -> Response {
        let body = DAVErrorBody(condition, href: href, explanation: explanation)
        return .bytes(body.bytes, type: "application/xml; charset=utf-8", status: status)
    }

    /// The problem for a method that an address does not support.
    static func refusal(allowing methods: [HTTPRequest.Method]) -> Problem {
        .methodNotAllowed([.allow: methods.map(\.rawValue).joined(separator: ", ")])
    }

    // MARK: - Sign-in

    /// Returns the token of a request: the password of Basic authentication, or a bearer token. Sessions of browsers
    /// are not accepted, so no page can make a browser send such a request.
    private static func authenticate(_ request: Request, _ context: ServerRequestContext) throws -> Token {
        let (server, rates) = (context.server, context.server.rates)
        guard let token = try token(of: request, server.accounts) else {
            try rates.takeFailure(of: context.client)
            var problem = Problem.unauthorized
            problem.detail = "sign in with the name of the person and a token as password"
            problem.fields = [.wwwAuthenticate: "Basic realm=\"Switchboard\", charset=\"UTF-8\""]
            throw problem
        }
        try rates.take(of: token.id)
        if token.usedAt.map({ Date().timeIntervalSince($0) >= 3_600 }) ?? true {
            NIOThreadPool.singleton.submit { _ in try? server.accounts.recordUse(of: token) }
        }
        return token
    }

    private static func token(of request: Request, _ accounts: Accounts) throws -> Token? {
        if let bearer = request.bearerToken { return try accounts.access(token: bearer) }
        let words = request.headers[.authorization]?.split(separator: " ", maxSplits: 1) ?? []
        guard words.count == 2, words[0].lowercased() == "basic",
            let bytes = Data(base64Encoded: words[1].trimmingCharacters(in: .whitespaces)),
            let text = String(bytes: bytes, encoding: .utf8), let colon = text.lastIndex(of: ":")
        else { return nil }
        // A name may have colons, a token has none.
        let (name, password) = (String(text[..<colon]), String(text[text.index(after: colon)...]))
        guard let token = try accounts.access(token: password), token.person.isNamed(name) else { return nil }
        return token
    }
}

extension Person {
    /// Returns `true` for the person's name, ignoring case, and identifier.
    fileprivate func isNamed(_ text: String) -> Bool { text.lowercased() == name.lowercased() || text == id }

    /// The person in an address: the name, or the identifier if a path cannot have the name.
    fileprivate var segment: String { name.contains("/") || [".", ".."].contains(name) ? id : name }
}

extension DAVPath {
    /// Returns `true` for an address of a person, or of everyone.
    fileprivate func isOf(_ owner: Person) -> Bool { person.map(owner.isNamed) ?? true }
}

extension HTTPRequest.Method {
    fileprivate static let propfind = Self("PROPFIND")!
    fileprivate static let proppatch = Self("PROPPATCH")!
    fileprivate static let report = Self("REPORT")!
    fileprivate static let mkcol = Self("MKCOL")!
    fileprivate static let mkcalendar = Self("MKCALENDAR")!
    fileprivate static let copy = Self("COPY")!
    fileprivate static let move = Self("MOVE")!
    fileprivate static let lock = Self("LOCK")!
    fileprivate static let unlock = Self("UNLOCK")!
}

extension HTTPField.Name {
    fileprivate static let dav = Self("DAV")!
    fileprivate static let depth = Self("Depth")!
}

extension Problem {
    fileprivate init(badRequest error: DAVError) {
        self = error == .missingLibrary ? Problem(error as any Error) : .badRequest(error.message, code: error.code)
    }
}

// MARK: - One request

/// A request of a signed-in client and its response.
private struct DAVExchange {
    let request: Request
    let context: ServerRequestContext
    let token: Token
    let path: DAVPath

    init(_ request: Request, _ context: ServerRequestContext, _ token: Token, _ path: DAVPath) {
        (self.request, self.context, self.token, self.path) = (request, context, token, path)
    }

    /// The person as the client writes it.
    private var person: String { path.person ?? token.person.segment }

    func response() async throws -> Response {
        if let collection { guard collection.isReadable(with: token.scopes) else { return needsPrivileges } }
        switch request.method {
        case .propfind: return try await propfind()
        case .proppatch: return try await proppatch()
        case .report: return try await report()
        case .get, .head: return try get()
        case .put: return try await put()
        case .delete: return try delete()
        case .mkcol, .mkcalendar, .copy, .move: return needsPrivileges
        default: throw DAV.refusal(allowing: DAV.methods)
        }
    }

    private var collection: DAVCollection? {
        switch path {
        case .collection(_, let collection), .member(_, let collection, _): collection
        default: nil
        }
    }

    private var needsPrivileges: Response { DAV.failure(.forbidden, .dav("need-privileges")) }

    private func multistatus(_ response: Multistatus) -> Response {
        .bytes(
            response.bytes, type: "application/xml; charset=utf-8",
            status: .init(code: 207, reasonPhrase: "Multi-Status"))
    }

    // MARK: Properties

    private func propfind() async throws -> Response {
        let properties = try PropertyRequest(propfind: await context.body(of: request))
        let depth = request.headers[.depth]?.lowercased() ?? "1"
        guard depth == "0" || depth == "1" else {
            guard depth == "infinity" else { throw Problem.badRequest("Depth: use 0 or 1") }
            return DAV.failure(.forbidden, .dav("propfind-finite-depth"))
        }
        return try context.withDatabase { switchboard in
            var response = Multistatus()
            if case .member(_, let collection, let name) = path {
                guard let found = try collection.member(name, in: switchboard) else { throw Problem.notFound }
                let member = self.member(found.resource, of: collection, properties) { found.bytes }
                try member.properties.add(properties, of: request.uri.path, to: &response)
                return multistatus(response)
            }
            let collections = DAVCollections(token: token, person: person, switchboard: switchboard)
            // Some clients compare this address with their own.
            let own = request.uri.path.hasSuffix("/") ? request.uri.path : request.uri.path + "/"
            try collections.properties(of: path).add(properties, of: own, to: &response)
            if depth == "1" { try addMembers(properties, collections, to: &response) }
            return multistatus(response)
        }
    }

    private func addMembers(
        _ properties: PropertyRequest, _ collections: DAVCollections, to response: inout Multistatus
    ) throws {
        var members: [DAVPath] = []
        switch path {
        case .root: members = [.principal(person)] + DAVHome.allCases.map { .home(person, $0) }
        case .home(_, let home):
            members = DAVCollection.allCases.filter { $0.home == home && $0.isReadable(with: token.scopes) }
                .map { .collection(person, $0) }
        case .collection(_, let collection):
            for resource in try collection.list(in: collections.switchboard) {
                try member(resource, of: collection, properties, bytes: nil).properties.add(
                    properties, of: DAVPath.member(person, collection, resource.name).href, to: &response)
            }
        case .principal, .member: break
        }
        for member in members {
            try collections.properties(of: member).add(properties, of: member.href, to: &response)
        }
    }

    private func member(
        _ resource: StoredResource, of collection: DAVCollection, _ properties: PropertyRequest,
        bytes: (() throws -> [UInt8]?)?
    ) -> DAVMember {
        DAVMember(
            resource: resource, home: collection.home, owner: DAVPath.principal(person).href,
            isWritable: collection.isWritable(with: token.scopes),
            bytes: bytes.map { bytes in
                { try bytes().map { $0.asked(by: properties.data, of: collection.home) } }
            })
    }

    /// Refuses each property: none can be changed.
    private func proppatch() async throws -> Response {
        let changes = try PropertyChange.changes(in: await context.body(of: request))
        if case .member(_, let collection, let name) = path {
            guard try context.withDatabase({ try collection.member(name, in: $0) }) != nil else {
                throw Problem.notFound
            }
        }
        var response = Multistatus()
        response.add(
            request.uri.path, changed: changes.map(\.name), status: 403,
            condition: .dav("cannot-modify-protected-property"))
        return multistatus(response)
    }

    // MARK: Reports

    private func report() async throws -> Response {
        let report = try ReportRequest(parsing: await context.body(of: request))
        guard case .collection(_, let collection) = path, report.isOf(collection.home) else {
            throw DAVError.unmetPrecondition(.dav("supported-report"))
        }
        return try context.withDatabase { switchboard in
            switch report {
            case .changes(let token, let limit, let properties):
                return try changes(of: collection, since: token, limit: limit, properties, in: switchboard)
            case .cards(let hrefs, let properties), .tasks(let hrefs, let properties):
                return try members(hrefs, of: collection, properties, in: switchboard)
            case .cardQuery(let filter, let limit, let properties):
                return try query(collection, limit: limit, properties, in: switchboard) { bytes in
                    var reader = try VCardReader(ByteStream(bytes))
                    return try reader.next().map(filter.matches) ?? false
                }
            case .taskQuery(let filter, let timeZone, let properties):
                return try query(collection, limit: nil, properties, in: switchboard) { bytes in
                    filter.matches(try CalendarComponent(onlyOneIn: bytes), timeZone: timeZone)
                }
            }
        }
    }

    private func changes(
        of collection: DAVCollection, since uri: String?, limit: Int?, _ properties: PropertyRequest,
        in switchboard: Switchboard
    ) throws -> Response {
        let known = uri.map(DAVToken.token)
        let isUnknown = known.map { $0 == nil } ?? false
        guard !isUnknown,
            let changes = try collection.changes(since: known ?? nil, limit: limit ?? .max, in: switchboard)
        else { throw DAVError.unmetPrecondition(.dav("valid-sync-token")) }
        var response = Multistatus()
        for resource in changes.changed {
            let member = member(resource, of: collection, properties) {
                try collection.member(resource.name, in: switchboard)?.bytes
            }
            try member.properties.add(
                properties, of: DAVPath.member(person, collection, resource.name).href, to: &response)
        }
        for name in changes.removed { response.add(DAVPath.member(person, collection, name).href, status: 404) }
        if !changes.isComplete { addTruncation(to: &response, collection) }
        response.token = DAVToken.uri(changes.token)
        return multistatus(response)
    }

    /// Tells the client that a limit has cut the response (RFC 6578, section 3.6).
    private func addTruncation(to response: inout Multistatus, _ collection: DAVCollection) {
        response.add(
            DAVPath.collection(person, collection).href, status: 507,
            condition: .dav("number-of-matches-within-limits"))
    }

    private func members(
        _ hrefs: [String], of collection: DAVCollection, _ properties: PropertyRequest, in switchboard: Switchboard
    ) throws -> Response {
        var response = Multistatus()
        var seen: Set<String> = []
        for href in hrefs where seen.insert(href).inserted {
            guard let path = DAVPath(href: href), path.isOf(token.person), case .member(_, collection, let name) = path,
                let (resource, bytes) = try collection.member(name, in: switchboard)
            else {
                response.add(href, status: 404)
                continue
            }
            try member(resource, of: collection, properties) { bytes }.properties.add(
                properties, of: href, to: &response)
        }
        return multistatus(response)
    }

    private func query(
        _ collection: DAVCollection, limit: Int?, _ properties: PropertyRequest, in switchboard: Switchboard,
        matches: ([UInt8]) throws -> Bool
    ) throws -> Response {
        var response = Multistatus()
        var count = 0
        try collection.forEach(in: switchboard) { resource, bytes in
            // One that cannot be parsed does not stop the others.
            guard (try? matches(bytes)) == true else { return true }
            if let limit, count == limit {
                addTruncation(to: &response, collection)
                return false
            }
            count += 1
            try member(resource, of: collection, properties) { bytes }.properties.add(
                properties, of: DAVPath.member(person, collection, resource.name).href, to: &response)
            return true
        }
        return multistatus(response)
    }

    // MARK: Cards and tasks

    private static let collectionMethods = DAV.methods.filter { ![.get, .head, .put, .delete].contains($0) }

    private func get() throws -> Response {
        guard case .member(_, let collection, let name) = path else {
            throw DAV.refusal(allowing: Self.collectionMethods)
        }
        guard let (resource, bytes) = try context.withDatabase({ try collection.member(name, in: $0) }) else {
            throw Problem.notFound
        }
        if collection.home == .addressbooks,
            let version = CardDataRequest.version(
                acceptedBy: request.headers[.accept], stored: ContactCards.version(of: bytes) ?? "3.0"),
            let card = ContactCards.converted(bytes, to: version)
        {
            // The tag is that of the stored bytes, which these are not.
            var response = Response.bytes(card, type: collection.home.contentType + "; version=" + version)
            response.headers[.vary] = "Accept"
            response.headers[.cacheControl] = "private, no-store"
            return response
        }
        let fields: HTTPFields = [
            .lastModified: HTTPDate.text(resource.modifiedAt), .cacheControl: "private, no-cache",
        ]
        return request.response(tagged: resource.tag, fields: fields) {
            .bytes(bytes, type: collection.home.contentType)
        }
    }

    private func put() async throws -> Response {
        guard case .member(_, let collection, let name) = path else {
            throw DAV.refusal(allowing: Self.collectionMethods)
        }
        guard collection.isWritable(with: token.scopes) else { return needsPrivileges }
        if request.headers[.contentRange] != nil { throw Problem.badRequest("send the whole resource") }
        let home = collection.home
        let type = request.headers[.contentType]?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
        guard type.map(home.acceptedTypes.contains) ?? true else {
            let condition = home == .calendars ? "supported-calendar-data" : "supported-address-data"
            return DAV.failure(.forbidden, home.condition(condition))
        }
        var context = context
        context.body = Route.Body(
            types: home.acceptedTypes, schema: ["type": "string"], limit: collection.largestMember)
        let bytes: [UInt8]
        do {
            bytes = try await context.body(of: request)
        } catch let problem as Problem where problem.status == .contentTooLarge {
            var response = DAV.failure(.contentTooLarge, home.condition("max-resource-size"))
            response.headers[.connection] = "close"
            return response
        }
        return try answeringErrors(of: collection) {
            let (resource, isNew) = try context.withDatabase {
                try collection.write(
                    bytes, as: name, in: $0, keepingReplaced: request.headers[.ifMatch] == nil, if: permits)
            }
            let response = Response(status: isNew ? .created : .noContent)
            // Without a tag, the client reads what is stored.
            return resource.tag == StoredResource.tag(of: bytes) ? response.tagged(resource.tag) : response
        }
    }

    private func delete() throws -> Response {
        guard case .member(_, let collection, let name) = path else { return needsPrivileges }
        guard collection.isWritable(with: token.scopes) else { return needsPrivileges }
        return try answeringErrors(of: collection) {
            try context.withDatabase { try collection.remove(name, in: $0, if: permits) }
            return .noContent
        }
    }

    /// Returns `true` if the preconditions of the request permit changing a resource with a tag; nil for no resource.
    private func permits(_ tag: String?) -> Bool {
        guard let tag else { return request.headers[.ifMatch] == nil }
        return request.permitsChange(of: tag) && !request.knows(tag)
    }

    private func answeringErrors(of collection: DAVCollection, _ body: () throws -> Response) throws -> Response {
        func refusal(_ condition: DAVName, _ explanation: String) -> Response {
            DAV.failure(.forbidden, condition, explanation: explanation)
        }
        func conflict(with other: String, _ explanation: String) -> Response {
            DAV.failure(
                .conflict, collection.home.condition("no-uid-conflict"),
                href: DAVPath.member(person, collection, other).href, explanation: explanation)
        }
        do {
            return try body()
        } catch let error as ContactCardsError {
            switch error {
            case .noCard: throw Problem.notFound
            case .invalidCard: return refusal(.card("valid-address-data"), error.message)
            case .uidConflict(let other): return conflict(with: other, error.message)
            case .cardChanged:
                throw Problem(status: .preconditionFailed, code: error.code, detail: error.message)
            }
        } catch let error as ReminderTasksError {
            switch error {
            case .noSuchReminder:
                // New tasks come from reminders only.
                guard request.method == .delete else { return refusal(.dav("need-privileges"), error.message) }
                throw Problem.notFound
            case .invalidTask: return refusal(.calendar("valid-calendar-data"), error.message)
            case .uidConflict(let other): return conflict(with: other, error.message)
            case .taskChanged:
                throw Problem(status: .preconditionFailed, code: error.code, detail: error.message)
            }
        }
    }
}

extension [UInt8] {
    /// Returns what a report asks of a card, or the bytes as they are if they cannot be converted.
    fileprivate func asked(by data: CardDataRequest?, of home: DAVHome) -> [UInt8] {
        guard let data, home == .addressbooks else { return self }
        return data.lines(of: data.version.flatMap { ContactCards.converted(self, to: $0) } ?? self)
    }
}

extension ReportRequest {
    /// Returns `true` if the report is about the collections of a home.
    fileprivate func isOf(_ home: DAVHome) -> Bool {
        switch self {
        case .changes: true
        case .cards, .cardQuery: home == .addressbooks
        case .tasks, .taskQuery: home == .calendars
        }
    }
}
