import Glibc
import Testing

@testable import SwitchboardWebFetch

@Suite("Network addresses") struct NetworkAddressTests {
    static let addresses: [(String, Bool)] = [
        ("8.8.8.8", true), ("1.1.1.1", true), ("100.63.255.255", true), ("172.32.0.1", true), ("223.255.255.255", true),
        ("0.1.2.3", false),
        ("10.0.0.1", false), ("100.64.0.1", false), ("100.127.255.255", false), ("100.128.0.0", true),
        ("127.255.255.255", false),
        ("169.254.169.254", false), ("172.16.0.1", false), ("172.31.255.255", false), ("192.0.0.8", false),
        ("192.0.2.1", false),
        ("192.88.99.1", false), ("192.168.1.1", false), ("198.18.0.1", false), ("198.19.255.255", false),
        ("198.20.0.0", true),
        ("198.51.100.7", false), ("203.0.113.7", false), ("224.0.0.1", false), ("239.1.2.3", false),
        ("240.0.0.1", false), ("255.255.255.255", false),
        ("2606:4700::1", true), ("2a00:1450::1", true), ("::", false), ("::1", false), ("::ffff:8.8.8.8", true),
        ("::ffff:10.0.0.1", false),
        ("::ffff:169.254.169.254", false), ("::8.8.8.8", false), ("64:ff9b::8.8.8.8", true),
        ("64:ff9b::10.0.0.1", false), ("64:ff9b:1::1", false),
        ("100::1", false), ("2001::1", false), ("2001:1ff::1", false), ("2001:200::1", true), ("2001:db8::1", false),
        ("2002:7f00:1::", false),
        ("3fff:1::1", false), ("3fff:ffff::1", true), ("fc00::1", false), ("fd12::1", false), ("fe80::1", false),
        ("fec0::1", false), ("ff02::1", false),
        ("4000::1", false),
    ]

    @Test("Addresses are classified as public or private", arguments: addresses)
    func publicAddresses(_ example: (text: String, isPublic: Bool)) throws {
        var buffer = [UInt8](repeating: 0, count: 16)
        let isIPv6 = example.text.contains(":")
        #expect(inet_pton(isIPv6 ? AF_INET6 : AF_INET, example.text, &buffer) == 1)
        let address = try #require(NetworkAddress(bytes: Array(buffer.prefix(isIPv6 ? 16 : 4))))
        #expect(address.isPublic == example.isPublic)
    }

    @Test("Addresses have four or sixteen bytes")
    func wrongLength() {
        for length in [0, 3, 5, 15, 17] { #expect(NetworkAddress(bytes: Array(repeating: 1, count: length)) == nil) }
    }
}
