/// An IPv4 or IPv6 address.
public struct NetworkAddress: Hashable, Sendable {
    /// The four or sixteen bytes, in network order.
    public let bytes: [UInt8]

    /// Creates an address from its bytes; `nil` unless there are 4 or 16.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Indicates that the address is publicly routable: not loopback, private, link-local, unique-local, carrier-grade
    /// NAT, multicast, documentation or reserved, and not an IPv6 address that maps to such an IPv4 address.
    ///
    /// Source: IANA special-purpose address registries (RFC 6890 and updates).
    public var isPublic: Bool {
        bytes.count == 4 ? Self.isPublic(ipv4: bytes[...]) : isPublicIPv6
    }

    private static func isPublic(ipv4 bytes: ArraySlice<UInt8>) -> Bool {
        let value = bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return !specialIPv4.contains { value >> (32 - $0.length) == $0.value >> (32 - $0.length) }
    }

    private static let specialIPv4: [(value: UInt32, length: UInt32)] = [
        (0x0000_0000, 8),  // this network
        (0x0A00_0000, 8),  // private
        (0x6440_0000, 10),  // carrier-grade NAT
        (0x7F00_0000, 8),  // loopback
        (0xA9FE_0000, 16),  // link-local, including the metadata services of clouds
        (0xAC10_0000, 12),  // private
        (0xC000_0000, 24),  // protocols of the IETF
        (0xC000_0200, 24),  // documentation
        (0xC058_6300, 24),  // 6to4 relays
        (0xC0A8_0000, 16),  // private
        (0xC612_0000, 15),  // benchmarks
        (0xC633_6400, 24),  // documentation
        (0xCB00_7100, 24),  // documentation
        (0xE000_0000, 4),  // multicast
        (0xF000_0000, 4),  // reserved, broadcast
    ]

    private var isPublicIPv6: Bool {
        // IPv4 addresses in IPv6: mapped (::ffff:0:0/96) and NAT64 (64:ff9b::/96, RFC 6052).
        let isMapped = bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
        if isMapped || bytes.starts(with: [0x00, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]) {
            return Self.isPublic(ipv4: bytes[12...])
        }
        // Of all other addresses, only 2000::/3 is global unicast.
        guard bytes[0] >> 5 == 0b001 else { return false }
        if bytes[0] == 0x20, bytes[1] == 0x01 {
            // 2001::/23 is for protocols such as Teredo, 2001:db8::/32 for documentation.
            return !(bytes[2] < 0x02 || (bytes[2] == 0x0D && bytes[3] == 0xB8))
        }
        // 6to4 reaches any IPv4 address; 3fff::/20 is for documentation.
        return !(bytes[0] == 0x20 && bytes[1] == 0x02) && !(bytes[0] == 0x3F && bytes[1] == 0xFF && bytes[2] >> 4 == 0)
    }
}

extension NetworkAddress: CustomStringConvertible {
    /// The textual form, such as `192.0.2.1` or `2001:db8:0:0:0:0:0:1`.
    public var description: String {
        if bytes.count == 4 { return bytes.map(String.init).joined(separator: ".") }
        let groups = stride(from: 0, to: 16, by: 2).map { Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]) }
        return groups.map { String($0, radix: 16) }.joined(separator: ":")
    }
}
