import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Enforces deadlines for requests, responds to malformed HTTP, and reports that the client has disconnected.
///
/// Hummingbird has one timeout, for idle connections. Here, the head of a request must arrive within ten seconds of its
/// first byte (or of the connection), the body within thirty seconds of the head. Otherwise the response is 408 and the
/// connection is closed, which defends against slow-loris attacks. A handler belongs to the event loop of one HTTP/1.1
/// connection or HTTP/2 stream.
final class RequestGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private static let headTimeout = TimeAmount.seconds(10)
    private static let bodyTimeout = TimeAmount.seconds(30)

    private enum Phase {
        /// Waiting for the next request.
        case idle
        case readingHead
        case readingBody
        /// The request has arrived; responses have no deadline.
        case responding
    }

    /// A client that has closed only its sending side may still wait for a response.
    private static let gracePeriod = TimeAmount.milliseconds(50)

    /// The longest time in which the rest of a request is read after its response.
    private static let discardingTime = TimeAmount.seconds(5)

    /// A stream without elements that ends once the client has disconnected.
    let disconnection: AsyncStream<Void>
    private let disconnected: AsyncStream<Void>.Continuation
    private var phase = Phase.idle
    private var deadline: NIODeadline?
    private var timer: Scheduled<Void>?
    /// The number of requests without a complete response; more than one if they are pipelined.
    private var pendingCount = 0
    /// `true` while a response is being written.
    private var isWriting = false
    /// `true` if the current response has `Connection: close`.
    private var closesAfterResponse = false
    /// `true` once the connection ends after a response, while the rest of the request still arrives.
    private var isDiscarding = false
    /// `true` for an HTTP/2 stream, which has one request and no `Connection` field.
    private let isStream: Bool
    /// `true` once a stream's response is complete.
    private var hasResponded = false

    init(isStream: Bool = false) {
        self.isStream = isStream
        (disconnection, disconnected) = AsyncStream.makeStream()
    }

    // MARK: - Deadlines

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { enter(.readingHead, within: Self.headTimeout, context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        enter(.readingHead, within: Self.headTimeout, context)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        disconnected.finish()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        disconnected.finish()
    }

    private func enter(_ phase: Phase, within time: TimeAmount?, _ context: ChannelHandlerContext) {
        self.phase = phase
        deadline = time.map { .now() + $0 }
        if deadline != nil, timer == nil { setTimer(context) }
    }

    /// Schedules the next check of the deadline, no later than after the shortest timeout.
    ///
    /// No deadline set in the meantime can expire before that check, so one timer serves many requests.
    private func setTimer(_ context: ChannelHandlerContext) {
        guard let deadline else { return }
        // Handler, context and timer belong to this event loop.
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        let check = min(deadline, .now() + min(Self.headTimeout, Self.bodyTimeout))
        timer = context.eventLoop.scheduleTask(deadline: check) {
            let (handler, context) = bound.value
            handler.timer = nil
            guard let deadline = handler.deadline else { return }
            guard deadline <= .now() else { return handler.setTimer(context) }
            let part = handler.phase == .readingBody ? "the body" : "the request"
            handler.respond(.requestTimeout, "\(part) took too long to arrive", context)
        }
    }

    /// Sends an error response, unless another response has begun, and closes the connection.
    private func respond(_ status: HTTPResponse.Status, _ detail: String, _ context: ChannelHandlerContext) {
        deadline = nil
        guard !isWriting, !hasResponded else { return context.close(promise: nil) }
        isWriting = true
        let problem = Problem(status: status, code: "badRequest", detail: detail)
        let body = problem.bytes
        var fields: HTTPFields = [
            .contentType: Problem.contentType, .contentLength: String(body.count), .cacheControl: "no-store",
        ]
        if !isStream { fields[.connection] = "close" }
        context.write(wrapOutboundOut(.head(HTTPResponse(status: status, headerFields: fields))), promise: nil)
        context.write(wrapOutboundOut(.body(ByteBuffer(bytes: body))), promise: nil)
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in bound.value.0.close(bound.value.1) }
    }

    /// Closes the connection after a response.
    ///
    /// The rest of a body is read first: the system resets a connection that is closed with unread bytes, and the
    /// client loses a response that it has not read yet (RFC 9112, section 9.6).
    private func close(_ context: ChannelHandlerContext) {
        guard phase == .readingBody, !isStream else { return context.close(promise: nil) }
        isDiscarding = true
        deadline = nil
        context.close(mode: .output, promise: nil)
        // Whoever read the body until now may have stopped.
        context.read()
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: Self.discardingTime) { bound.value.close(promise: nil) }
    }

    // MARK: - Inbound

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isDiscarding {
            if case .end = unwrapInboundIn(data) { context.close(promise: nil) }
            return
        }
        switch unwrapInboundIn(data) {
        case .head(let head):
            pendingCount += 1
            enter(.readingBody, within: Self.bodyTimeout, context)
            if head.headerFields[.expect]?.lowercased() == "100-continue" {
                context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
            }
        case .body: break
        case .end: enter(.responding, within: nil, context)
        }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if isDiscarding { context.read() }
        // Bytes have arrived, but not yet a whole head.
        if phase == .idle { enter(.readingHead, within: Self.headTimeout, context) }
        context.fireChannelReadComplete()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed {
            if isDiscarding { return context.close(promise: nil) }
            let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
            context.eventLoop.scheduleTask(in: Self.gracePeriod) {
                if !bound.value.isWriting { bound.value.disconnected.finish() }
            }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case HTTPParserError.headerOverflow:
            respond(.requestHeaderFieldsTooLarge, "the header fields are too large", context)
        case RequestFault.unknownTransferCoding:
            respond(.notImplemented, "the transfer coding is not supported; use chunked", context)
        case is HTTPParserError, is RequestFault: respond(.badRequest, "malformed HTTP request", context)
        default: context.fireErrorCaught(error)
        }
    }

    // MARK: - Outbound

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let head) where head.status.kind != .informational:
            isWriting = true
            if isStream {
                var head = head
                head.headerFields[.connection] = nil
                return context.write(wrapOutboundOut(.head(head)), promise: promise)
            }
            closesAfterResponse = head.headerFields[.connection] == "close"
        case .head, .body: break
        case .end:
            isWriting = false
            hasResponded = isStream
            pendingCount -= 1
            if closesAfterResponse {
                let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
                context.write(data).whenComplete { _ in bound.value.0.close(bound.value.1) }
                return
            }
            // If the request body is still arriving, its deadline stays in effect.
            if phase == .responding, pendingCount == 0 { phase = .idle }
        }
        context.write(data, promise: promise)
    }
}

@available(*, unavailable)
extension RequestGuard: Sendable {}
