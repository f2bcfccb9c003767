import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A server-sent event.
struct ServerEvent: Sendable {
    /// The identifier with which a stream is resumed after this event.
    var id: String?
    /// The type, such as "changed" or "reminder"; empty for a lone identifier.
    var type = ""
    var data = ""
}

extension SwitchboardAPI {
    /// Returns the events of the person. The stream ends with an error if the connection breaks.
    ///
    /// - Parameter id: The identifier of the last event of an earlier stream; what happened since then comes first.
    func events(after id: String? = nil) throws -> AsyncThrowingStream<ServerEvent, any Error> {
        var request = try request("GET", "/v1/events", fields: id.map { ["Last-Event-ID": $0] } ?? [:])
        // The server sends a comment at least every half minute.
        request.timeoutInterval = 60
        let ready = request
        return AsyncThrowingStream { continuation in
            let session = URLSession(configuration: .ephemeral, delegate: EventReader(continuation), delegateQueue: nil)
            continuation.onTermination = { _ in session.invalidateAndCancel() }
            session.dataTask(with: ready).resume()
        }
    }
}

/// Parses a stream of events (HTML Living Standard, section 9.2) while it arrives.
private final class EventReader: NSObject, URLSessionDataDelegate {
    private let continuation: AsyncThrowingStream<ServerEvent, any Error>.Continuation
    /// The bytes after the last complete line, and the event that the lines so far describe.
    private let state = Mutex((bytes: [UInt8](), event: ServerEvent()))

    init(_ continuation: AsyncThrowingStream<ServerEvent, any Error>.Continuation) {
        self.continuation = continuation
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        let isStream = (response as? HTTPURLResponse)?.statusCode == 200
        if !isStream { continuation.finish(throwing: URLError(.userAuthenticationRequired)) }
        completionHandler(isStream ? .allow : .cancel)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        state.withLock { state in
            state.bytes += data
            while let end = state.bytes.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: state.bytes[..<end], as: UTF8.self)
                state.bytes.removeFirst(end + 1)
                if line.isEmpty {
                    if state.event.id != nil || !state.event.data.isEmpty { continuation.yield(state.event) }
                    state.event = ServerEvent()
                } else {
                    Self.read(line, into: &state.event)
                }
            }
        }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        continuation.finish(throwing: error ?? URLError(.networkConnectionLost))
    }

    private static func read(_ line: String, into event: inout ServerEvent) {
        let parts = line.split(separator: ": ", maxSplits: 1)
        guard parts.count == 2 else { return }
        switch parts[0] {
        case "id": event.id = String(parts[1])
        case "event": event.type = String(parts[1])
        case "data": event.data += String(parts[1])
        default: return
        }
    }
}
