/// FNV-1a, 64 bits: a hash that is equal in every process. It detects changes, not forgery.
package struct StableHash: Sendable {
    /// The hash of the bytes added so far.
    @usableFromInline
    package internal(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    /// Creates a hash of no bytes.
    ///
    /// - Parameter seed: A number that makes hashes of the same bytes differ.
    package init(seed: UInt64 = 0) { value ^= seed }

    @inlinable
    package mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }

    package static func of(_ bytes: [UInt8]) -> UInt64 {
        var hash = StableHash()
        hash.add(bytes)
        return hash.value
    }
}
