import HummingbirdCore
import HummingbirdHTTP2
import Logging
import NIOCore
import NIOTLS

/// A channel over TLS with HTTP/2 or HTTP/1.1, whichever the client prefers (ALPN, RFC 7301).
///
/// Unlike Hummingbird's TLS channel, it limits the time of the handshake and serves HTTP/1.1 with
/// ``ConnectionChannel``.
struct SecureChannel: ServerChildChannel {
    enum Connection: Sendable {
        case http1(ConnectionChannel.Value)
        case http2(HTTP2Channel.Value)
    }

    struct Value: ServerChildChannelValue {
        let negotiation: EventLoopFuture<Connection>
        let channel: any Channel
    }

    /// The ALPN protocol names in order of preference.
    static let protocols = ["h2", "http/1.1"]

    private static let handshakeTimeout = TimeAmount.seconds(10)

    private let http1: ConnectionChannel
    private let http2: HTTP2Channel

    init(responder: @escaping HTTPChannelHandler.Responder) {
        http1 = ConnectionChannel(responder: responder)
        http2 = HTTP2Channel(
            responder: responder,
            configuration: .init(
                idleTimeout: .seconds(ConnectionChannel.idleTimeout),
                streamConfiguration: .init(additionalChannelHandlers: [RequestGuard(isStream: true)])))
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let negotiator = NIOTypedApplicationProtocolNegotiationHandler<Connection> { result in
                if case .negotiated("h2") = result {
                    return http2.setup(channel: channel, logger: logger).map { .http2($0) }
                }
                return http1.setup(channel: channel, logger: logger).map { .http1($0) }
            }
            try channel.pipeline.syncOperations.addHandler(negotiator)
            let negotiation = negotiator.protocolNegotiationResult
            let timer = channel.eventLoop.scheduleTask(in: Self.handshakeTimeout) { channel.close(promise: nil) }
            negotiation.whenComplete { _ in timer.cancel() }
            return Value(negotiation: negotiation, channel: channel)
        }
    }

    func handle(value: Value, logger: Logger) async {
        // The client may disconnect during the handshake.
        guard let connection = try? await value.negotiation.get() else { return }
        switch connection {
        case .http1(let value): await http1.handle(value: value, logger: logger)
        case .http2(let value):
            await withTaskExecutorPreference(EventLoopTaskExecutor(eventLoop: value.channel.eventLoop)) {
                await http2.handle(value: value, logger: logger)
            }
        }
    }
}
