import Foundation
import HTTPTypes
import HummingbirdCore
import NIOCore

/// Where a request comes from: the other side of the connection or, if that is a proxy on this machine, whom the proxy names.
struct ClientAddress: Sendable {
    /// The address as text; nil where it is not known.
    let name: String?
    /// Whether it is this machine itself.
    let isLocal: Bool

    /// - Parameter peer: the other side of the connection; nil in tests of the router alone.
    init(_ peer: SocketAddress?, _ request: Request) {
        guard peer?.isLoopback ?? true else {
            name = peer?.ipAddress
            isLocal = false
            return
        }
        // Only who is on this machine can say so, and of what was handed on to the proxy its own word comes last.
        let chain = request.headers[values: .xForwardedFor].joined(separator: ",")
        let last = chain.split(separator: ",").last.map { String($0.filter { !$0.isWhitespace }) }
        name = last ?? peer?.ipAddress
        isLocal = last == nil
    }
}

extension HTTPField.Name {
    fileprivate static let xForwardedFor = Self("X-Forwarded-For")!
}

extension SocketAddress {
    /// Whether it is this machine: what has no address of the Internet is a socket of this machine.
    fileprivate var isLoopback: Bool {
        guard let ipAddress else { return true }
        return ["127.", "::ffff:127."].contains { ipAddress.hasPrefix($0) } || ipAddress == "::1"
    }
}
