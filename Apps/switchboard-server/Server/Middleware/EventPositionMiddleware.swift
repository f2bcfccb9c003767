import HTTPTypes
import Hummingbird
import SwitchboardAccounts
import SwitchboardKit

/// Adds the identifier of the newest event that precedes the response if the client sends `Prefer: event-id`.
///
/// A page whose event stream later begins with another identifier has missed a change.
struct EventPositionMiddleware: ServerMiddleware {
    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard request.headers[.prefer] == "event-id", let token = context.access else {
            return try await next(request, context)
        }
        let identifier = try context.server.databases.use(token.person) { switchboard in
            try EventLog.currentIdentifier(in: switchboard.storage)
        }
        var response = try await next(request, context)
        response.headers[.eventID] = identifier
        return response
    }
}

extension HTTPField.Name {
    static let eventID = Self("Event-ID")!
    fileprivate static let prefer = Self("Prefer")!
}
