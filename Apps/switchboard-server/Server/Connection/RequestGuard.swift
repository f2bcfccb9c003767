import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Sees to it that requests arrive in time and that what is no HTTP gets an answer as well.
///
/// The head of a request has to be there ten seconds after its first byte (or after the connection was made), its body thirty
/// seconds after the head: who keeps a connection busy for longer without saying anything is answered 408 and closed ("slow
/// loris"). It belongs to one event loop.
final class RequestGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// How long each part of a request may take.
    struct Timeouts: Sendable {
        var head = TimeAmount.seconds(10)
        var body = TimeAmount.seconds(30)
        var idle = TimeAmount.seconds(75)

        var shortest: TimeAmount { min(head, body, idle) }
    }

    private enum Phase {
        /// Nothing of the next request is there.
        case idle
        case readingHead
        case readingBody
        /// The request is there; the answer takes as long as it takes.
        case answering
    }

    let state = ConnectionState()
    private let patience: Timeouts
    private var phase = Phase.idle
    /// When time is up; nil while nothing is waited for.
    private var deadline: NIODeadline?
    private var timer: Scheduled<Void>?
    /// Whether an answer has begun that has not ended.
    private var isWriting = false
    /// Whether the answer that is written says that it is the last one.
    private var closesAfterAnswer = false
    private var hasSeenLine = false

    init(patience: Timeouts) {
        self.patience = patience
    }

    // MARK: - Time

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { expect(.readingHead, within: patience.head, context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        expect(.readingHead, within: patience.head, context)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        state.noteEnd()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

    private func expect(_ phase: Phase, within time: TimeAmount?, _ context: ChannelHandlerContext) {
        self.phase = phase
        deadline = time.map { .now() + $0 }
        if deadline != nil, timer == nil { setTimer(context) }
    }

    /// Looks at the deadline when it may have come, at the latest after the shortest patience: no deadline that is set meanwhile comes
    /// earlier, so that one timer serves many requests.
    private func setTimer(_ context: ChannelHandlerContext) {
        guard let deadline else { return }
        // Handler and context belong to this event loop, and so does the timer.
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        timer = context.eventLoop.scheduleTask(deadline: min(deadline, .now() + patience.shortest)) {
            let (handler, context) = bound.value
            handler.timer = nil
            guard let deadline = handler.deadline else { return }
            if deadline <= .now() { handler.timeIsUp(context) } else { handler.setTimer(context) }
        }
    }

    private func timeIsUp(_ context: ChannelHandlerContext) {
        switch phase {
        case .idle, .answering: context.close(promise: nil)
        case .readingHead, .readingBody:
            let what = phase == .readingBody ? "the body" : "the request"
            refuse(.requestTimeout, "\(what) took too long to arrive", context)
        }
    }

    /// Answers instead of the server, unless it is answering already, and closes.
    private func refuse(_ status: HTTPResponse.Status, _ detail: String, _ context: ChannelHandlerContext) {
        deadline = nil
        guard !isWriting else { return context.close(promise: nil) }
        isWriting = true
        let problem = Problem(status: status, code: "badRequest", detail: detail)
        let body = problem.bytes
        var head = HTTPResponse(status: status)
        head.headerFields = [
            .contentType: Problem.contentType, .contentLength: String(body.count), .connection: "close",
            .cacheControl: "no-store",
        ]
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(ByteBuffer(bytes: body))), promise: nil)
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in bound.value.close(promise: nil) }
    }

    // MARK: - What arrives

    /// Called for each piece of bytes before it is read as HTTP.
    func bytesArrived(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        if phase == .idle {
            hasSeenLine = false
            expect(.readingHead, within: patience.head, context)
        }
        if !hasSeenLine, bytes.readableBytesView.contains(UInt8(ascii: "\n")) { hasSeenLine = true }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            expect(.readingBody, within: patience.body, context)
            if head.headerFields[.expect]?.lowercased() == "100-continue" {
                context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
            }
        case .body: break
        case .end: expect(.answering, within: nil, context)
        }
        context.fireChannelRead(data)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed { state.noteEnd() }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? HTTPParserError else { return context.fireErrorCaught(error) }
        switch error {
        case .headerOverflow where !hasSeenLine: refuse(.uriTooLong, "the address is too long", context)
        case .headerOverflow: refuse(.requestHeaderFieldsTooLarge, "the header fields are too large", context)
        default: refuse(.badRequest, "this is no HTTP request", context)
        }
    }

    // MARK: - What is answered

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let head) where head.status.kind != .informational:
            isWriting = true
            closesAfterAnswer = head.headerFields[.connection] == "close"
        case .head, .body: break
        case .end:
            isWriting = false
            if closesAfterAnswer {
                let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
                context.write(data).whenComplete { _ in bound.value.close(promise: nil) }
                return
            }
            // A body that nobody wanted keeps its time.
            if phase == .answering { expect(.idle, within: patience.idle, context) }
        }
        context.write(data, promise: promise)
    }
}

@available(*, unavailable)
extension RequestGuard: Sendable {}

/// Tells the guard of each piece of bytes, before HTTP is read from it.
final class ByteSensor: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let requestGuard: RequestGuard
    private var guardContext: ChannelHandlerContext?

    init(_ requestGuard: RequestGuard) {
        self.requestGuard = requestGuard
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if guardContext == nil {
            guardContext = try? context.pipeline.syncOperations.context(handler: requestGuard)
        }
        if let guardContext { requestGuard.bytesArrived(unwrapInboundIn(data), guardContext) }
        context.fireChannelRead(data)
    }

    func handlerRemoved(context: ChannelHandlerContext) { guardContext = nil }
}

@available(*, unavailable)
extension ByteSensor: Sendable {}
