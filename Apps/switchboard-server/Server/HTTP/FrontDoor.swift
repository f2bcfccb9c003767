import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging

/// What every request passes before the router sees it, and every response before it leaves.
///
/// Here are the limits of addresses and header fields, the check of the host, the request's identifier, the fields that keep browsers
/// from guessing and framing, and the log.
struct FrontDoor<Router: HTTPResponder>: HTTPResponder where Router.Context == ServerContext {
    let router: Router
    let server: Server

    private static var longestAddress: Int { 8 << 10 }
    private static var longestFields: Int { 16 << 10 }

    func respond(to request: Request, context: ServerContext) async throws -> Response {
        let start = ContinuousClock.now
        var context = context
        let id = Self.requestID(request) ?? context.id
        context.logger[metadataKey: "hb.request.id"] = .string(id)
        var response: Response
        if let problem = refusal(of: request) {
            response = Response(.problem(problem))
        } else {
            response = try await router.respond(to: Self.withKnownMethod(request), context: context)
            // What Hummingbird itself refuses is no problem document yet.
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

    private func refusal(of request: Request) -> Problem? {
        if request.head.path?.utf8.count ?? 0 > Self.longestAddress {
            return closing(
                Problem(
                    status: .uriTooLong, code: "addressTooLong",
                    detail: "the address is longer than \(Self.longestAddress) bytes"))
        }
        let size = request.headers.reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 4 }
        if size > Self.longestFields {
            return closing(
                Problem(
                    status: .requestHeaderFieldsTooLarge, code: "headersTooLarge",
                    detail: "the header fields are larger than \(Self.longestFields) bytes"))
        }
        guard server.hosts.isOurs(request.head.authority) else {
            return Problem(
                status: .misdirectedRequest, code: "wrongHost",
                detail: "this server does not answer for that host; it is started with --public-host for others")
        }
        return nil
    }

    /// A method that the router has never heard of does nothing anywhere, as TRACE: so it is answered with what does.
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

    /// The identifier that a proxy has given the request, if it looks like one.
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
                ? "the server could not do this; its log says why" : "this cannot be done")
    }
}

extension HTTPField.Name {
    static let xRequestID = Self("X-Request-ID")!
    static let referrerPolicy = Self("Referrer-Policy")!
}
