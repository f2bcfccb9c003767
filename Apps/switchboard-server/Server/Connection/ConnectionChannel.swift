import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// Hummingbird's HTTP/1.1 channel with a ``RequestGuard``.
///
/// The tasks of a connection run on its event loop, because switching threads twice per request costs more than
/// handling most requests. They are cancelled once the client disconnects. Hummingbird offers neither.
struct ConnectionChannel: ServerChildChannel {
    private let http: HTTP1Channel

    /// The limit in bytes at which the parser stops. The actual limits are smaller and checked later.
    private static let parserLimit = 256 << 10
    /// The time in seconds after which an idle connection is closed.
    static let idleTimeout: Int64 = 75

    init(responder: @escaping HTTPChannelHandler.Responder) {
        http = HTTP1Channel(
            responder: responder,
            configuration: .init(
                additionalChannelHandlers: [RequestGuard()], idleTimeout: .seconds(Self.idleTimeout),
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: Self.parserLimit, maxHeaderListSize: Self.parserLimit)))
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        http.setup(channel: channel, logger: logger).flatMapThrowing { value in
            let pipeline = value.channel.pipeline.syncOperations
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            try pipeline.addHandler(AbsoluteTargetHandler(), position: .after(decoder))
            return value
        }
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        let requestGuard = value.channel.pipeline.handler(type: RequestGuard.self)
        guard let disconnection = try? await requestGuard.map(\.disconnection).get() else { return }
        await withTaskExecutorPreference(EventLoopTaskExecutor(eventLoop: value.channel.eventLoop)) {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await http.handle(value: value, logger: logger) }
                group.addTask { for await _ in disconnection {} }
                await group.next()
                group.cancelAll()
            }
        }
    }
}

/// Runs tasks on an event loop.
final class EventLoopTaskExecutor: TaskExecutor {
    private let eventLoop: any EventLoop

    init(eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // Safe: each job runs once.
        eventLoop.execute { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
