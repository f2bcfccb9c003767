import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// Hummingbird's HTTP/1.1 channel with a ``RequestGuard`` in its pipeline.
struct GuardedChannel: ServerChildChannel, HTTPChannelHandler {
    typealias Value = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

    let responder: HTTPChannelHandler.Responder
    let timeouts: RequestGuard.Timeouts

    /// The limit in bytes at which the parser stops. The actual limits are smaller and checked later.
    private static let parserLimit = 64 << 10

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            var limits = NIOHTTPDecoderLimitConfiguration()
            limits.maxHeaderFieldSize = Self.parserLimit
            limits.maxHeaderListSize = Self.parserLimit
            let pipeline = channel.pipeline.syncOperations
            let requestGuard = RequestGuard(timeouts: timeouts)
            try pipeline.addHandler(InboundBytesHandler(requestGuard))
            try pipeline.configureHTTPServerPipeline(
                // Hummingbird reads one request at a time anyway.
                withPipeliningAssistance: false, withErrorHandling: false, withOutboundHeaderValidation: false,
                withEncoderConfiguration: .init(), withDecoderLimitConfiguration: limits)
            try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
            try pipeline.addHandler(requestGuard)
            try pipeline.addHandler(HTTPConnectionStateHandler(logger: logger))
            return try NIOAsyncChannel(
                wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
        }
    }

    func handle(value: Value, logger: Logger) async {
        let state = try? await value.channel.pipeline.handler(type: RequestGuard.self).map(\.state).get()
        await ConnectionState.$current.withValue(state) {
            await withTaskExecutorPreference(EventLoopTaskExecutor(value.channel.eventLoop)) {
                await handleHTTP(asyncChannel: value, logger: logger)
            }
        }
    }
}

extension HTTPServerBuilder {
    /// HTTP/1.1 with timeouts and size limits.
    static func guarded(timeouts: RequestGuard.Timeouts = .init()) -> HTTPServerBuilder {
        HTTPServerBuilder { responder in GuardedChannel(responder: responder, timeouts: timeouts) }
    }
}
