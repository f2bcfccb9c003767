import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Enforces timeouts for requests and responds to malformed HTTP.
///
/// The head of a request must arrive within ten seconds of its first byte (or of the connection), the body within
/// thirty seconds of the head. Otherwise the response is 408 and the connection is closed, which defends against
/// slow-loris attacks. A handler belongs to one event loop.
final class RequestGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// The timeouts for the phases of a request.
    struct Timeouts: Sendable {
        var head = TimeAmount.seconds(10)
        var body = TimeAmount.seconds(30)
        var idle = TimeAmount.seconds(75)

        var shortest: TimeAmount { min(head, body, idle) }
    }

    private enum Phase {
        /// Waiting for the next request.
        case idle
        case readingHead
        case readingBody
        /// The request has arrived; responses have no timeout.
        case responding
    }

    let state = ConnectionState()
    private let timeouts: Timeouts
    private var phase = Phase.idle
    /// The current deadline; nil if there is none.
    private var deadline: NIODeadline?
    private var timer: Scheduled<Void>?
    /// `true` while a response is being written.
    private var isWriting = false
    /// `true` if the current response has `Connection: close`.
    private var closesAfterResponse = false
    private var hasSeenRequestLine = false

    init(timeouts: Timeouts) {
        self.timeouts = timeouts
    }

    // MARK: - Deadlines

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { expect(.readingHead, within: timeouts.head, context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        expect(.readingHead, within: timeouts.head, context)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        state.markEnded()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

    private func expect(_ phase: Phase, within time: TimeAmount?, _ context: ChannelHandlerContext) {
        self.phase = phase
        deadline = time.map { .now() + $0 }
        if deadline != nil, timer == nil { setTimer(context) }
    }

    /// Schedules the next check of the deadline, after the shortest timeout at the latest.
    ///
    /// No later deadline can expire before that, so one timer serves many requests.
    private func setTimer(_ context: ChannelHandlerContext) {
        guard let deadline else { return }
        // Handler, context and timer belong to this event loop.
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        timer = context.eventLoop.scheduleTask(deadline: min(deadline, .now() + timeouts.shortest)) {
            let (handler, context) = bound.value
            handler.timer = nil
            guard let deadline = handler.deadline else { return }
            if deadline <= .now() { handler.deadlineExpired(context) } else { handler.setTimer(context) }
        }
    }

    private func deadlineExpired(_ context: ChannelHandlerContext) {
        switch phase {
        case .idle, .responding: context.close(promise: nil)
        case .readingHead, .readingBody:
            let what = phase == .readingBody ? "the body" : "the request"
            respondWithError(.requestTimeout, "\(what) took too long to arrive", context)
        }
    }

    /// Sends an error response, unless another response has begun, and closes the connection.
    private func respondWithError(_ status: HTTPResponse.Status, _ detail: String, _ context: ChannelHandlerContext) {
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

    // MARK: - Inbound

    /// Handles received bytes before they are parsed as HTTP.
    func receivedBytes(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        if phase == .idle {
            hasSeenRequestLine = false
            expect(.readingHead, within: timeouts.head, context)
        }
        if !hasSeenRequestLine, bytes.readableBytesView.contains(UInt8(ascii: "\n")) { hasSeenRequestLine = true }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            expect(.readingBody, within: timeouts.body, context)
            if head.headerFields[.expect]?.lowercased() == "100-continue" {
                context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
            }
        case .body: break
        case .end: expect(.responding, within: nil, context)
        }
        context.fireChannelRead(data)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed { state.markEnded() }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? HTTPParserError else { return context.fireErrorCaught(error) }
        switch error {
        case .headerOverflow where !hasSeenRequestLine:
            respondWithError(.uriTooLong, "the address is too long", context)
        case .headerOverflow: respondWithError(.requestHeaderFieldsTooLarge, "the header fields are too large", context)
        default: respondWithError(.badRequest, "malformed HTTP request", context)
        }
    }

    // MARK: - Outbound

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let head) where head.status.kind != .informational:
            isWriting = true
            closesAfterResponse = head.headerFields[.connection] == "close"
        case .head, .body: break
        case .end:
            isWriting = false
            if closesAfterResponse {
                let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
                context.write(data).whenComplete { _ in bound.value.close(promise: nil) }
                return
            }
            // If the request body is still arriving, its deadline stays.
            if phase == .responding { expect(.idle, within: timeouts.idle, context) }
        }
        context.write(data, promise: promise)
    }
}

@available(*, unavailable)
extension RequestGuard: Sendable {}

/// Passes received bytes to the ``RequestGuard`` before they are parsed as HTTP.
final class InboundBytesHandler: ChannelInboundHandler {
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
        if let guardContext { requestGuard.receivedBytes(unwrapInboundIn(data), guardContext) }
        context.fireChannelRead(data)
    }

    func handlerRemoved(context: ChannelHandlerContext) { guardContext = nil }
}

@available(*, unavailable)
extension InboundBytesHandler: Sendable {}
