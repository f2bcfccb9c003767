import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// HTTP/1.1 as Hummingbird speaks it, with a ``RequestGuard`` in it.
struct GuardedChannel: ServerChildChannel, HTTPChannelHandler {
    typealias Value = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

    let responder: HTTPChannelHandler.Responder
    let patience: RequestGuard.Timeouts

    /// What one line or all header fields may have before reading stops, in bytes. What is allowed is less, and told apart later.
    private static let mostRead = 64 << 10

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            var limits = NIOHTTPDecoderLimitConfiguration()
            limits.maxHeaderFieldSize = Self.mostRead
            limits.maxHeaderListSize = Self.mostRead
            let pipeline = channel.pipeline.syncOperations
            let requestGuard = RequestGuard(patience: patience)
            try pipeline.addHandler(ByteSensor(requestGuard))
            try pipeline.configureHTTPServerPipeline(
                // One request after the other: the answer to the second one does not depend on how soon it was sent.
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
            await withTaskExecutorPreference(EventLoopTasks(value.channel.eventLoop)) {
                await handleHTTP(asyncChannel: value, logger: logger)
            }
        }
    }
}

extension HTTPServerBuilder {
    /// HTTP/1.1 with limits of time and size.
    static func guarded(patience: RequestGuard.Timeouts = .init()) -> HTTPServerBuilder {
        HTTPServerBuilder { responder in GuardedChannel(responder: responder, patience: patience) }
    }
}
