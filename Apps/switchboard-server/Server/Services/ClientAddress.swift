import Foundation
import HTTPTypes
import HummingbirdCore
import NIOCore

/// The address of a client: the peer of the connection or, if a proxy on this machine is the peer, the address it
/// forwards.
struct ClientAddress: Sendable {
    /// The address as text; nil if unknown.
    let name: String?
    /// `true` if the client is on this machine.
    let isLocal: Bool

    init(_ peer: SocketAddress?, _ request: Request) {
        guard peer?.isLoopback ?? true else {
            name = peer?.ipAddress
            isLocal = false
            return
        }
        // Only a proxy on this machine is trusted. The last address is its own; clients can forge the others.
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
    /// `true` for loopback addresses and Unix domain sockets.
    fileprivate var isLoopback: Bool {
        guard let ipAddress else { return true }
        return ["127.", "::ffff:127."].contains { ipAddress.hasPrefix($0) } || ipAddress == "::1"
    }
}
