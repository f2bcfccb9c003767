import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging

/// The outermost responder, which every request and response passes.
///
/// It limits the address and header fields, checks the host, assigns a request identifier, adds security headers and
/// logs the request.
struct ServerResponder<Router: HTTPResponder>: HTTPResponder where Router.Context == ServerRequestContext {
    let router: Router
    let server: Server

    private static var maximumAddressLength: Int { 8 << 10 }
    private static var maximumHeaderSize: Int { 16 << 10 }

    func respond(to request: Request, context: ServerRequestContext) async throws -> Response {
        let start = ContinuousClock.now
        var context = context
        let id = Self.requestID(request) ?? context.id
        context.logger[metadataKey: "hb.request.id"] = .string(id)
        var response: Response
        if let problem = rejection(of: request) {
            response = Response(.problem(problem))
        } else {
            response = try await router.respond(to: Self.withKnownMethod(request), context: context)
            // Hummingbird's own errors are not problem documents.
            if response.status.code >= 400, response.headers[.contentType] != Problem.contentType {
                response = Response(
                    .problem(response.status == .notFound ? .notFound : Problem(plain: response.status)))
            }
        }
        if response.status.code >= 400, response.headers[.cacheControl] == nil {
            response.headers[.cacheControl] = "no-store"
        }
        response.headers[.xRequestID] = id
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[.referrerPolicy] = "no-referrer"
        server.log.request(
            request, route: context.endpointPath, status: response.status.code, id: id, since: start)
        return response
    }

    private func rejection(of request: Request) -> Problem? {
        if request.head.path?.utf8.count ?? 0 > Self.maximumAddressLength {
            return closing(
                Problem(
                    status: .uriTooLong, code: "addressTooLong",
                    detail: "the address is longer than \(Self.maximumAddressLength) bytes"))
        }
        let size = request.headers.reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 4 }
        if size > Self.maximumHeaderSize {
            return closing(
                Problem(
                    status: .requestHeaderFieldsTooLarge, code: "headersTooLarge",
                    detail: "the header fields are larger than \(Self.maximumHeaderSize) bytes"))
        }
        guard server.hosts.allows(request.head.authority) else {
            return Problem(
                status: .misdirectedRequest, code: "wrongHost",
                detail: "unknown host; the operator can add it to the server's public hosts")
        }
        return nil
    }

    /// Maps unknown methods to TRACE, which no route supports, so that the response is 405 with `Allow`.
    private static func withKnownMethod(_ request: Request) -> Request {
        guard !Server.methods.contains(request.method) else { return request }
        var head = request.head
        head.method = .trace
        return Request(head: head, body: request.body)
    }

    private func closing(_ problem: Problem) -> Problem {
        var problem = problem
        problem.fields[.connection] = "close"
        return problem
    }

    /// Returns the request identifier set by a proxy, if it is well-formed.
    private static func requestID(_ request: Request) -> String? {
        guard let id = request.headers[.xRequestID], (8...64).contains(id.utf8.count),
            id.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & 0xDF) || $0 == 0x2D })
        else { return nil }
        return id
    }
}

extension Problem {
    fileprivate init(plain status: HTTPResponse.Status) {
        self.init(
            status: status, code: status.kind == .serverError ? "internal" : "badRequest",
            detail: status.kind == .serverError
                ? "internal error; see the server log" : "invalid request")
    }
}

extension HTTPField.Name {
    static let xRequestID = Self("X-Request-ID")!
    static let referrerPolicy = Self("Referrer-Policy")!
}
