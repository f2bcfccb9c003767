import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import SwitchboardAccounts

/// Answers the requests of one route: sees who asks and whether they may, calls the handler, and makes a response of what it says.
struct Endpoint: HTTPResponder {
    let route: Route
    let server: Server

    func respond(to request: Request, context: ServerContext) async throws -> Response {
        var answer: Answer
        do {
            answer = try await self.answer(to: request, context)
        } catch {
            let problem = Problem(error)
            // A problem that a handler names is an answer; anything else behind a 500 is for who wordSuffixes the server.
            if problem.status.kind == .serverError, !(error is Problem) {
                server.log.failure(error, route: route, id: context.id)
            }
            answer = .problem(problem)
        }
        if answer.fields[.cacheControl] == nil { answer.fields[.cacheControl] = "no-store" }
        Compression.apply(to: &answer, accepting: request.headers[.acceptEncoding])
        return Response(answer)
    }

    private func answer(to request: Request, _ context: ServerContext) async throws -> Answer {
        let address = ClientAddress(context.address, request)
        let access = try await server.authentication.access(for: request, route, from: address)
        let call = try Call(request, route, server, access, address, context)
        return try await route.handle(call)
    }
}

/// Answers a request for something that is there, but not by this method.
struct OtherMethod: HTTPResponder {
    let allowed: [HTTPRequest.Method]

    func respond(to request: Request, context: ServerContext) async throws -> Response {
        let methods = allowed.map(\.rawValue).joined(separator: ", ")
        if request.method == .options {
            return Response(Answer(.noContent, fields: [.allow: methods]))
        }
        var problem = Problem(
            status: .methodNotAllowed, code: "methodNotAllowed",
            detail: "this method does nothing here; there is \(methods)")
        problem.fields[.allow] = methods
        return Response(.problem(problem))
    }
}

extension Response {
    init(_ answer: Answer) {
        let body: ResponseBody =
            switch answer.body {
            case .none: .init()
            case .bytes(let buffer): .init(byteBuffer: buffer)
            case .stream(let body): body
            }
        self.init(status: answer.status, headers: answer.fields, body: body)
    }
}
