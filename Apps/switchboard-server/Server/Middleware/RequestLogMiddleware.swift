import HTTPTypes
import Hummingbird
import Logging

/// Assigns a request identifier, adds security headers, and logs and counts the request.
struct RequestLogMiddleware: ServerMiddleware {
    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        let id = Self.requestID(request) ?? context.id
        var context = context
        context.logger[metadataKey: "hb.request.id"] = .string(id)
        var response = try await next(request, context)
        if response.headers[.cacheControl] == nil, context.method != .options || response.status.code >= 400 {
            response.headers[.cacheControl] = "no-store"
        }
        response.headers[.xRequestID] = id
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[.referrerPolicy] = "no-referrer"
        if context.server.options.isSecure { response.headers[.strictTransportSecurity] = "max-age=31536000" }
        context.server.log.request(context, status: response.status.code, since: start)
        return response
    }

    /// Returns the request identifier set by a proxy, if it is well-formed.
    private static func requestID(_ request: Request) -> String? {
        guard let id = request.headers[.xRequestID], (8...64).contains(id.utf8.count),
            id.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & 0xDF) || $0 == 0x2D })
        else { return nil }
        return id
    }
}

/// Converts errors to problem documents, and logs server errors.
struct ProblemMiddleware: ServerMiddleware {
    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            let problem = Problem(error)
            // A handler's own problem is a normal response; log any other cause of a server error.
            if problem.status.kind == .serverError, !(error is Problem) { context.server.log.failure(error, context) }
            return .problem(problem)
        }
    }
}

extension HTTPField.Name {
    fileprivate static let xRequestID = Self("X-Request-ID")!
    fileprivate static let referrerPolicy = Self("Referrer-Policy")!
}
