import Foundation
import HTTPTypes
import HummingbirdCore
import NIOCore

/// The address of a client: the peer of the connection or, if the peer is a trusted proxy, the address that it
/// forwards.
struct ClientAddress: Sendable {
    /// The address as text, or a common name for all clients whose address a trusted proxy does not forward; nil if
    /// unknown.
    let name: String?
    /// `true` if the client is on this machine.
    let isLocal: Bool

    /// - Parameters:
    ///   - header: The header that the trusted proxies set.
    ///   - proxies: The networks of trusted proxies, besides this machine.
    ///   - isBehindProxy: `true` if requests come through a proxy, even if it forwards no address.
    init(
        _ peer: SocketAddress?, _ request: Request, header: ForwardedHeader, proxies: [AddressRange],
        isBehindProxy: Bool
    ) {
        func isTrusted(_ address: SocketAddress) -> Bool {
            address.isLoopback || proxies.contains { $0.contains(address) }
        }
        guard peer.map(isTrusted) ?? true else {
            name = peer?.ipAddress
            isLocal = false
            return
        }
        let isForwarded = ForwardedHeader.allCases.contains { request.headers[$0.name] != nil }
        // Each proxy appends the address of its peer, so the client's address is the last one that does not belong to a
        // trusted proxy. Clients can forge earlier ones.
        let chain = header.addresses(in: request.headers)
        let client = chain.last { text in (try? SocketAddress(ipAddress: text, port: 0)).map { !isTrusted($0) } ?? true
        }
        // Requests without a credible address share a rate limit, but not with the proxy's own probes.
        name = client ?? chain.first ?? peer?.ipAddress.map { isForwarded ? "forwarded by " + $0 : $0 }
        isLocal = !isForwarded && !isBehindProxy && (peer?.isLoopback ?? true)
    }
}

/// A header in which proxies forward the address of their client.
enum ForwardedHeader: String, CaseIterable, Sendable {
    case xForwardedFor = "X-Forwarded-For"
    case forwarded = "Forwarded"
    case xRealIP = "X-Real-IP"

    /// Creates the header with a name, ignoring case.
    init?(_ name: String) {
        guard let header = Self.allCases.first(where: { $0.rawValue.lowercased() == name.lowercased() }) else {
            return nil
        }
        self = header
    }

    var name: HTTPField.Name {
        switch self {
        case .xForwardedFor: .xForwardedFor
        case .forwarded: .forwarded
        case .xRealIP: .xRealIP
        }
    }

    /// Returns the forwarded addresses, the client's first.
    ///
    /// A request with both `Forwarded` and `X-Forwarded-For` has no trusted addresses: a proxy sets one of the fields,
    /// and the client may have sent this one.
    func addresses(in headers: HTTPFields) -> [String] {
        if self != .xRealIP, headers[.forwarded] != nil, headers[.xForwardedFor] != nil { return [] }
        let elements = headers[values: name].flatMap { $0.split(separator: ",") }
        guard self == .forwarded else {
            return elements.map { Self.bare($0.trimmingCharacters(in: .whitespaces)) }
        }
        return elements.map { element in
            element.split(separator: ";").compactMap { pair -> String? in
                let halves = pair.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
                return halves.count == 2 && halves[0].lowercased() == "for" ? Self.bare(halves[1]) : nil
            }.first ?? "unknown"
        }
    }

    /// Returns an address without quotes, brackets and port.
    private static func bare(_ text: String) -> String {
        let text = text.trimmingCharacters(in: CharacterSet(charactersIn: "\""))
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            return String(text[text.index(after: text.startIndex)..<end])
        }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count == 2 ? String(parts[0]) : text
    }
}

/// A network in CIDR notation (RFC 4632), such as `10.0.0.0/8`, or a single address.
struct AddressRange: Sendable, Hashable {
    private let bytes: [UInt8]
    private let bits: Int

    /// - Returns: nil if the text is not a network.
    init?(_ text: String) {
        let halves = text.split(separator: "/", omittingEmptySubsequences: false)
        guard let first = halves.first, halves.count <= 2,
            let bytes = try? SocketAddress(ipAddress: String(first), port: 0).addressBytes,
            let bits = halves.count == 2 ? Int(halves[1]) : bytes.count * 8, (0...bytes.count * 8).contains(bits)
        else { return nil }
        (self.bytes, self.bits) = (bytes, bits)
    }

    func contains(_ address: SocketAddress) -> Bool {
        guard let other = address.addressBytes, other.count == bytes.count else { return false }
        return (0..<bits).allSatisfy { bit in
            let mask: UInt8 = 0x80 >> UInt8(bit % 8)
            return bytes[bit / 8] & mask == other[bit / 8] & mask
        }
    }
}

extension HTTPField.Name {
    fileprivate static let forwarded = Self("Forwarded")!
    fileprivate static let xForwardedFor = Self("X-Forwarded-For")!
    fileprivate static let xRealIP = Self("X-Real-IP")!
}

extension SocketAddress {
    /// `true` for loopback addresses and Unix domain sockets.
    fileprivate var isLoopback: Bool {
        guard let bytes = addressBytes else { return true }
        return bytes.count == 4 ? bytes[0] == 127 : bytes == [UInt8](repeating: 0, count: 15) + [1]
    }

    /// The bytes of the address in network byte order, four for an IPv4-mapped IPv6 address; nil for Unix domain
    /// sockets.
    fileprivate var addressBytes: [UInt8]? {
        guard let packed = ipAddressBytes else { return nil }
        let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
        return packed.starts(with: mapped) && packed.count == 16 ? Array(packed.dropFirst(12)) : packed
    }

    private var ipAddressBytes: [UInt8]? {
        guard let text = ipAddress else { return nil }
        guard text.contains(":") else { return Self.quad(Substring(text)) }
        // Drop the zone, such as %eth0 in fe80::1%eth0. The text is in the canonical form of inet_ntop(3).
        let halves = String(text.prefix { $0 != "%" }).split(separator: "::", omittingEmptySubsequences: false)
        let groups = halves.map { $0.split(separator: ":").flatMap(Self.group) }
        guard let first = groups.first else { return nil }
        guard let last = groups.dropFirst().first else { return first }
        return first + [UInt8](repeating: 0, count: max(0, 16 - first.count - last.count)) + last
    }

    /// Returns the bytes of a group of an IPv6 address, whose last group may be an IPv4 address.
    private static func group(_ text: Substring) -> [UInt8] {
        guard let number = UInt16(text, radix: 16) else { return quad(text) ?? [] }
        return [UInt8(number >> 8), UInt8(number & 0xFF)]
    }

    private static func quad(_ text: Substring) -> [UInt8]? {
        let bytes = text.split(separator: ".").compactMap { UInt8($0) }
        return bytes.count == 4 ? bytes : nil
    }
}
