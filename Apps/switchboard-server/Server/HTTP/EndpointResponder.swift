import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import SwitchboardAccounts

/// Responds to the requests of one route: authenticates and authorizes the caller, then runs the handler.
struct EndpointResponder: HTTPResponder {
    let route: Route
    let server: Server

    func respond(to request: Request, context: ServerRequestContext) async throws -> Response {
        var response: EndpointResponse
        do {
            response = try await self.response(to: request, context)
        } catch {
            let problem = Problem(error)
            // A handler's own problem is a normal response; log any other cause of a server error.
            if problem.status.kind == .serverError, !(error is Problem) {
                server.log.failure(error, route: route, id: context.id)
            }
            response = .problem(problem)
        }
        if response.fields[.cacheControl] == nil { response.fields[.cacheControl] = "no-store" }
        Compression.apply(to: &response, accepting: request.headers[.acceptEncoding])
        return Response(response)
    }

    private func response(to request: Request, _ context: ServerRequestContext) async throws -> EndpointResponse {
        let address = ClientAddress(context.address, request)
        let access = try await server.authentication.access(for: request, route, from: address)
        let routeContext = try RouteContext(request, route, server, access, address, context)
        return try await route.handle(routeContext)
    }
}

/// Responds to a request whose path exists but does not support the method.
struct MethodNotAllowedResponder: HTTPResponder {
    let allowed: [HTTPRequest.Method]

    func respond(to request: Request, context: ServerRequestContext) async throws -> Response {
        let methods = allowed.map(\.rawValue).joined(separator: ", ")
        if request.method == .options {
            return Response(EndpointResponse(.noContent, fields: [.allow: methods]))
        }
        var problem = Problem(
            status: .methodNotAllowed, code: "methodNotAllowed",
            detail: "this method is not supported here; use \(methods)")
        problem.fields[.allow] = methods
        return Response(.problem(problem))
    }
}

extension Response {
    init(_ response: EndpointResponse) {
        let body: ResponseBody =
            switch response.body {
            case .none: .init()
            case .bytes(let buffer): .init(byteBuffer: buffer)
            case .stream(let body): body
            }
        self.init(status: response.status, headers: response.fields, body: body)
    }
}
