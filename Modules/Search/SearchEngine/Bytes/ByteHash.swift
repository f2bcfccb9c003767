// Each `unsafe` is safe because the words and bytes that are read lie within the buffer, whose size is counted, and the
// buffer lives during the call.

/// A hash of bytes that is stable across processes, for fingerprints of data: FNV-1a over 64-bit words in four chains.
///
/// Detects accidental changes, not malicious ones. About a tenth of a nanosecond per byte.
package struct ByteHash {
    package private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325
    private static let prime: UInt64 = 0x0000_0100_0000_01b3

    package init() {}

    package mutating func add(_ bytes: UnsafeRawBufferPointer) {
        // Four independent chains keep the multiplier busy; a single one would wait for each product.
        var chains: (UInt64, UInt64, UInt64, UInt64) = (value, 1, 2, 3)
        var offset = 0
        while offset + 32 <= bytes.count {
            // Safe: `offset` is at most `count` - 32.
            @inline(__always) func word(_ number: Int) -> UInt64 {
                unsafe bytes.loadUnaligned(fromByteOffset: offset + 8 * number, as: UInt64.self)
            }
            chains.0 = (chains.0 ^ word(0)) &* ByteHash.prime
            chains.1 = (chains.1 ^ word(1)) &* ByteHash.prime
            chains.2 = (chains.2 ^ word(2)) &* ByteHash.prime
            chains.3 = (chains.3 ^ word(3)) &* ByteHash.prime
            offset += 32
        }
        while offset < bytes.count {
            // Safe: `offset` is less than `count`.
            chains.0 = (chains.0 ^ UInt64(unsafe bytes[offset])) &* ByteHash.prime
            offset += 1
        }
        value = UInt64(bytes.count)
        for chain in [chains.0, chains.1, chains.2, chains.3] {
            value = (value ^ chain ^ (chain >> 29)) &* ByteHash.prime
        }
    }

    package mutating func add(_ text: String) {
        var text = text
        // Safe: the buffer is used during the call only.
        text.withUTF8 { unsafe add(UnsafeRawBufferPointer($0)) }
    }

    /// Returns the checksum of bytes of an index. O(n).
    static func checksum(of bytes: UnsafeRawBufferPointer) -> UInt64 {
        // Safe: the caller's buffer lives during the call.
        var hash = ByteHash()
        unsafe hash.add(bytes)
        return hash.value ^ (hash.value >> 32)
    }
}
