import Foundation
import HummingbirdCore
import HummingbirdHTTP2
import Logging
import NIOCore
import NIOHTTP1
import NIOSSL
import NIOTLS
import SwitchboardKit
import SwitchboardStorage
import Synchronization

/// Hummingbird's HTTP/1.1 channel with a ``RequestGuard``.
///
/// The tasks of a connection run on its event loop, because switching threads twice per request costs more than
/// handling most requests. They are canceled once the client disconnects. Hummingbird offers neither.
struct ConnectionChannel: ServerChildChannel {
    private let http: HTTP1Channel

    /// The limit in bytes at which the parser stops. The actual limits are smaller and checked later.
    private static let parserLimit = 256 << 10
    /// The time in seconds after which an idle connection is closed.
    fileprivate static let idleTimeout: Int64 = 75

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
            let counter = ChunkOverheadCounter()
            try pipeline.addHandler(counter, position: .before(decoder))
            try pipeline.addHandler(RequestHeadHandler(counter: counter), position: .after(decoder))
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
private final class EventLoopTaskExecutor: TaskExecutor {
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
    fileprivate static let protocols = ["h2", "http/1.1"]

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

/// The TLS certificate of the server, which can be replaced without closing connections.
final class CertificateStore: Sendable {
    private struct Loaded {
        let certificate: String
        let key: String
        let chain: [NIOSSLCertificateSource]
        let privateKey: NIOSSLPrivateKeySource

        init(certificate: String, key: String) throws {
            (self.certificate, self.key) = (certificate, key)
            chain = try NIOSSLCertificate.fromPEMFile(certificate).map { .certificate($0) }
            privateKey = .privateKey(try NIOSSLPrivateKey(file: key, format: .pem))
            // Detect a key that belongs to another certificate now, not when a client connects.
            _ = try NIOSSLContext(
                configuration: .makeServerConfiguration(certificateChain: chain, privateKey: privateKey))
        }
    }

    private let loaded: Mutex<Loaded>

    /// Loads the PEM files of a certificate chain and its key.
    ///
    /// - Throws: `SwitchboardError` if they cannot be used.
    init(certificate: String, key: String) throws {
        loaded = Mutex(try Self.translating(certificate, key) { try Loaded(certificate: certificate, key: key) })
    }

    /// Replaces the certificate for later connections.
    ///
    /// - Throws: `SwitchboardError` if the files cannot be used; the old certificate is then kept.
    func load(certificate: String, key: String) throws {
        let new = try Self.translating(certificate, key) { try Loaded(certificate: certificate, key: key) }
        loaded.withLock { $0 = new }
    }

    /// The configuration of the server, which looks up the current certificate for each connection.
    var configuration: TLSConfiguration {
        let current = loaded.withLock { $0 }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: current.chain, privateKey: current.privateKey)
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = SecureChannel.protocols
        configuration.sslContextCallback = { _, promise in
            var override = NIOSSLContextConfigurationOverride()
            let current = self.loaded.withLock { $0 }
            override.certificateChain = current.chain
            override.privateKey = current.privateKey
            promise.succeed(override)
        }
        return configuration
    }

    /// Calls a closure and adds the names of the certificate files to its errors.
    func translatingErrors<Value>(_ body: () throws -> Value) throws -> Value {
        let current = loaded.withLock { $0 }
        return try Self.translating(current.certificate, current.key, body)
    }

    private static func translating<Value>(_ certificate: String, _ key: String, _ body: () throws -> Value) throws
        -> Value
    {
        for file in [certificate, key] where !FileSystem.permits(R_OK, to: file) {
            // Safe: strerror returns a text that this thread keeps until its next call.
            let reason = unsafe String(cString: strerror(errno))
            throw SwitchboardError(
                code: "badCertificate", message: "cannot read \(file): \(reason); correct the path or its permissions",
                file: file, status: .missing)
        }
        do {
            return try body()
        } catch {
            throw SwitchboardError(
                code: "badCertificate", message: "cannot use certificate \(certificate) with key \(key): \(error)",
                status: .malformed)
        }
    }
}

/// Replaces the Host field of a request with the host of its target if the target is in absolute form (RFC 9112,
/// section 3.2.2), and rejects transfer codings that the server does not know (section 6.1).
///
/// Later handlers see only the path of the target. Without this handler, a proxy that routes by the target could pass
/// on a host that the server never checks, or read the end of a body elsewhere.
private final class RequestHeadHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    private let counter: ChunkOverheadCounter
    private var isRejected = false

    init(counter: ChunkOverheadCounter) {
        self.counter = counter
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isRejected else { return }
        let part = unwrapInboundIn(data)
        counter.count(part)
        guard case .head(var head) = part else { return context.fireChannelRead(data) }
        if let fault = RequestFault(transferCoding: head) {
            isRejected = true
            return context.fireErrorCaught(fault)
        }
        // A request with two Host fields is rejected later.
        if let host = Self.host(of: head.uri), head.headers["Host"].count < 2 {
            head.headers.replaceOrAdd(name: "Host", value: host)
        }
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    /// Returns the host and port of a target such as `http://people.example.org:8080/v1/me`; nil for a path.
    private static func host(of target: String) -> String? {
        guard !target.hasPrefix("/"), let scheme = target.firstRange(of: "://") else { return nil }
        return String(target[scheme.upperBound...].prefix { !"/?#".contains($0) })
    }
}

/// Limits what a chunked body has besides its data.
///
/// The parser skips extensions of chunks, which may have any length (RFC 9112, section 7.1.1).
private final class ChunkOverheadCounter: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    /// The limit in bytes.
    private static let limit = 64 << 10
    /// The bytes that are allowed for each byte of data: a chunk of one byte has six, and may have a short extension.
    private static let bytesPerDataByte = 16

    /// The bytes of the current body that are not explained by its data; nil between bodies.
    private var overhead: Int?

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if let overhead {
            guard overhead <= Self.limit else { return context.fireErrorCaught(RequestFault.longChunkExtension) }
            self.overhead = overhead + unwrapInboundIn(data).readableBytes
        }
        context.fireChannelRead(data)
    }

    /// Counts a part of a request that the parser has found in the bytes.
    func count(_ part: HTTPServerRequestPart) {
        switch part {
        case .head: overhead = 0
        case .body(let data): overhead = overhead.map { max(0, $0 - Self.bytesPerDataByte * data.readableBytes) }
        case .end: overhead = nil
        }
    }
}

/// A request that the parser accepts and the server must not.
enum RequestFault: Error {
    /// Extensions of chunks that are much longer than the data.
    case longChunkExtension
    /// A transfer coding in HTTP/1.0, whose end other programs may see elsewhere.
    case chunkedBeforeHTTP11
    /// A transfer coding other than `chunked`.
    case unknownTransferCoding

    fileprivate init?(transferCoding head: HTTPRequestHead) {
        let codings = head.headers[canonicalForm: "Transfer-Encoding"]
        if codings.isEmpty { return nil }
        if head.version != .http1_1 {
            self = .chunkedBeforeHTTP11
        } else if codings.count > 1 || codings[0].lowercased() != "chunked" {
            self = .unknownTransferCoding
        } else {
            return nil
        }
    }
}
