import NIOCore
import NIOHTTP1

/// Replaces the Host field of a request with the host of its target if the target is in absolute form (RFC 9112,
/// section 3.2.2).
///
/// Later handlers see only the path of the target. Without this handler, a proxy that routes by the target could pass
/// on a host that the server never checks.
final class AbsoluteTargetHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data), let host = Self.host(of: head.uri) else {
            return context.fireChannelRead(data)
        }
        // A request with two Host fields is rejected later.
        if head.headers["Host"].count < 2 { head.headers.replaceOrAdd(name: "Host", value: host) }
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    /// Returns the host and port of a target such as `http://people.example.org:8080/v1/me`; nil for a path.
    private static func host(of target: String) -> String? {
        guard !target.hasPrefix("/"), let scheme = target.firstRange(of: "://") else { return nil }
        return String(target[scheme.upperBound...].prefix { !"/?#".contains($0) })
    }
}
