import HTTPTypes
import Hummingbird
import Synchronization

/// Lets pages of allowed origins read the responses of shared routes (CORS).
///
/// Shared routes are public and ignore sessions, so responses never allow credentials. Errors are readable, too.
struct CrossOriginMiddleware: ServerMiddleware {
    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        context.server.origins.allow(try await next(request, context), to: request)
    }
}

extension Route {
    /// `true` for the public routes that pages of other sites may use: airports, and the files for them.
    var isShared: Bool { access == .open && (path.hasPrefix("/v1/airports") || path.hasPrefix("/embed/")) }
}

/// The origin of a page: a scheme, a host and, unless it is the default, a port.
struct Origin: Hashable, Sendable {
    let text: String

    /// Parses an origin as browsers send it, ignoring case; nil for any other URL and for patterns.
    init?(_ text: String) {
        let text = text.lowercased()
        guard
            let match = text.wholeMatch(
                of: /(https?):\/\/[a-z0-9.-]+(:[0-9]{1,5})?|(https?):\/\/\[[0-9a-f:]+\](:[0-9]{1,5})?/)
        else { return nil }
        let scheme = match.1 ?? match.3 ?? ""
        let port = match.2 ?? match.4 ?? ""
        // Browsers omit the default port.
        self.text = port == (scheme == "https" ? ":443" : ":80") ? String(text.dropLast(port.count)) : text
    }
}

/// The origins whose pages may use shared routes.
final class AllowedOrigins: Sendable {
    private let origins: Mutex<Set<String>>

    init(_ origins: [Origin]) {
        self.origins = Mutex(Set(origins.map(\.text)))
    }

    /// Replaces the origins.
    func set(_ new: [Origin]) {
        origins.withLock { $0 = Set(new.map(\.text)) }
    }

    /// Returns a response that the requesting page may read if its origin is allowed.
    func allow(_ response: Response, to request: Request) -> Response {
        let origin = request.headers[.origin]
        let (isEmpty, isAllowed) = origins.withLock { ($0.isEmpty, origin.map($0.contains) ?? false) }
        guard !isEmpty else { return response }
        var response = response
        // A shared cache must not send the response for one origin to another.
        response.headers[.vary] = [response.headers[.vary], "Origin"].compactMap { $0 }.joined(separator: ", ")
        guard isAllowed, let origin else { return response }
        response.headers[.accessControlAllowOrigin] = origin
        response.headers[.accessControlExposeHeaders] = "ETag"
        return response
    }

    /// Returns the response to a preflight request, which asks whether a request with additional header fields is
    /// allowed.
    func preflight(_ response: Response, to request: Request) -> Response {
        var response = allow(response, to: request)
        guard response.headers[.accessControlAllowOrigin] != nil else { return response }
        response.headers[.accessControlAllowMethods] = "GET, HEAD"
        response.headers[.accessControlAllowHeaders] = "If-None-Match, X-Request-ID"
        response.headers[.accessControlMaxAge] = "7200"
        return response
    }
}
