// Views of the sections of an index, and the rules for crafted files.
//
// A checksum does not prove the origin of a file, so a search relies on no number in a section. The invariant is in
// docs/engine.md; these rules keep it:
//
// - Sections are read only through `View`, `PackedView` and `SuffixEntries`. A read outside of them returns 0. A few
//   loops skip this check; each is over a clamped range and says why its positions are inside.
// - Two offsets become a range only through `PackedView.range`, `View.slice` or the two `range` methods of
//   `PrefixTrie`, which clamp it to the array that it points into or to the range of the parent node.
// - `RangeMinimum.position` returns a position in the given range, so `TopKIterator` and `PostingMerge` split ranges
//   that only get smaller. The walk of a trie visits a limited number of nodes and is no deeper than a key.
// - A document number indexes other memory, such as a bitmap, only after a comparison with the number of documents.
//
// These checks are comparisons that always turn out the same way. They cost nothing when a file is opened and read no
// page that a search does not need. Time is bounded but not linear, because documents that overlap in a crafted file
// are read once each. Every loop over documents can be canceled.
//
// Each `unsafe` is safe because a position is compared with the count before a read, or by the caller of an `@unsafe`
// function, and because the index retains the bytes as long as its views.

/// A read-only view of a section as an array of fixed-width integers. Out-of-bounds reads return 0.
@safe struct View<Element: FixedWidthInteger & BitwiseCopyable>: @unchecked Sendable {
    // Sendable: points into an `IndexBytes` that the index retains and that is never written.
    private let base: UnsafeRawPointer
    /// The number of elements: less than 2³² - 1, so that a position after an element is a UInt32, too.
    let count: Int

    /// Returns nil if the section does not consist of whole elements.
    @unsafe init?(_ section: UnsafeRawBufferPointer) {
        // Safe: the pointer addresses a section of `count` elements.
        let stride = MemoryLayout<Element>.stride
        guard let base = section.baseAddress, section.count % stride == 0,
            section.count / stride < UInt32.max
        else { return nil }
        unsafe self.base = base
        count = section.count / stride
    }

    private init(base: UnsafeRawPointer, count: Int) {
        // Safe: the caller has checked that the elements are inside this view.
        unsafe self.base = base
        self.count = count
    }

    @inline(__always)
    subscript(position: Int) -> Element {
        guard UInt(bitPattern: position) < UInt(bitPattern: count) else { return 0 }
        // Safe: the position was checked.
        return unsafe self[unchecked: position]
    }

    /// The element at a position that must be in `0 ..< count`. Skips the bounds check.
    @unsafe @inline(__always)
    subscript(unchecked position: Int) -> Element {
        assert(position >= 0 && position < count, "position \(position) outside a section of \(count)")
        // Safe: the caller has checked the position.
        return unsafe base.loadUnaligned(
            fromByteOffset: position &* MemoryLayout<Element>.stride, as: Element.self)
    }

    /// Returns eight elements, or zeros if they are not all inside the view.
    @inline(__always)
    func eight(from position: Int) -> SIMD8<Element> where Element: SIMDScalar {
        guard position >= 0, position <= count - 8 else { return .zero }
        // Safe: the positions of all eight were checked.
        return unsafe base.loadUnaligned(
            fromByteOffset: position &* MemoryLayout<Element>.stride, as: SIMD8<Element>.self)
    }

    /// Returns the elements between two positions, or an empty view if the positions are out of bounds or out of order.
    @inline(__always)
    func slice(_ low: Int, _ high: Int) -> View {
        // Safe: the bounds are checked; a view of nothing reads nothing.
        guard low >= 0, low <= high, high <= count else { return unsafe View(base: base, count: 0) }
        return unsafe View(base: base + low &* MemoryLayout<Element>.stride, count: high &- low)
    }
}

extension View<UInt8> {
    /// Returns the eight bytes from a position on, the first in the lowest bits. Bytes outside the view are zeros.
    @inline(__always)
    func word(from position: Int) -> UInt64 {
        if position >= 0, position <= count - 8 {
            // Safe: the positions of all eight were checked.
            return unsafe UInt64(littleEndian: base.loadUnaligned(fromByteOffset: position, as: UInt64.self))
        }
        var word: UInt64 = 0
        for offset in 0..<8 { word |= UInt64(self[position &+ offset]) << UInt64(8 * offset) }
        return word
    }

    /// Returns a copy of the bytes in a range, or an empty array if the range is not inside the view.
    func array(_ range: Range<Int>) -> [UInt8] {
        let part = slice(range.lowerBound, range.upperBound)
        // Safe: the pointer addresses `count` bytes.
        return unsafe [UInt8](UnsafeRawBufferPointer(start: part.base, count: part.count))
    }

    /// Compares with other bytes. A proper prefix sorts first.
    ///
    /// - Returns: A negative number, zero or a positive number.
    @inline(__always)
    func compare(to other: Span<UInt8>) -> Int {
        let difference = comparePrefix(to: other)
        return difference == 0 ? Swift.max(count - other.count, 0) : difference
    }

    /// Compares with a prefix: negative if the bytes sort before it, zero if they begin with it, positive if they sort
    /// after it.
    @inline(__always)
    func comparePrefix(to prefix: Span<UInt8>) -> Int {
        let common = Swift.min(count, prefix.count)
        var position = 0
        while position < common {
            // Safe: the position is less than both counts.
            let difference = unsafe Int(self[unchecked: position]) - Int(prefix[unchecked: position])
            if difference != 0 { return difference }
            position += 1
        }
        return count < prefix.count ? -1 : 0
    }
}

/// A read-only view of a section of unsigned integers, each in as many whole bytes as the largest value needs.
/// Out-of-bounds reads return 0.
///
/// Most integers in an index are numbers of documents and words or offsets into its arrays. With 100,000 documents, a
/// quarter to three quarters of the bytes of four-byte integers would be zeros. Values take whole bytes instead of
/// bits, because reading a value is then one load and one mask.
///
/// The section contains the width in bytes (eight bytes), the values, and zeros so that a whole integer can be read at
/// each position.
@safe struct PackedView<Value: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>: @unchecked Sendable {
    // Sendable: points into an `IndexBytes` that the index retains and that is never written.
    private let base: UnsafeRawPointer
    private let width: Int
    private let mask: Value
    /// The number of values: less than 2³² - 1, so that a position after an element is a UInt32, too.
    let count: Int

    private static var headLength: Int { 8 }
    private static var tailLength: Int { MemoryLayout<Value>.size - 1 }

    /// Returns nil if the section is malformed.
    @unsafe init?(_ section: UnsafeRawBufferPointer) {
        // Safe: the section has at least a head.
        let overhead = Self.headLength + Self.tailLength
        guard let start = section.baseAddress, section.count >= overhead else { return nil }
        let width = unsafe section.loadUnaligned(as: UInt64.self)
        let length = section.count - overhead
        guard (1...UInt64(MemoryLayout<Value>.size)).contains(width), length % Int(width) == 0,
            length / Int(width) < UInt32.max
        else { return nil }
        self.width = Int(width)
        mask = .max >> Value(Value.bitWidth - 8 * self.width)
        // Safe: a whole value can be read at each of `count` positions: the last bytes of the section follow them.
        unsafe base = start + Self.headLength
        count = length / self.width
    }

    @inline(__always)
    subscript(position: Int) -> Value {
        guard UInt(bitPattern: position) < UInt(bitPattern: count) else { return 0 }
        // Safe: the position was checked.
        return unsafe self[unchecked: position]
    }

    // Safe: the caller has checked the position.
    @unsafe @inline(__always)
    subscript(unchecked position: Int) -> Value {
        assert(position >= 0 && position < count, "position \(position) outside a section of \(count)")
        return unsafe base.loadUnaligned(fromByteOffset: position &* width, as: Value.self) & mask
    }

    /// Returns the bytes of a section with these values. O(values).
    static func section(of values: some Collection<Value>) -> [UInt8] {
        let largest = values.max() ?? 0
        let width = Swift.max(1, (Value.bitWidth - largest.leadingZeroBitCount + 7) / 8)
        var bytes = [UInt8](repeating: 0, count: headLength + values.count * width + tailLength)
        bytes[0] = UInt8(width)
        var offset = headLength
        for value in values {
            for byte in 0..<width { bytes[offset + byte] = UInt8(truncatingIfNeeded: value >> Value(8 * byte)) }
            offset += width
        }
        return bytes
    }
}

/// Unsigned integers accessed by position. Out-of-bounds reads return 0.
protocol IntegerSequence: Sendable {
    /// The binary logarithm of the block size of a ``RangeMinimum``.
    static var blockShift: Int { get }
    var count: Int { get }
    subscript(position: Int) -> UInt32 { get }
    // Safe: each caller has a proof that the position is in bounds.
    /// The integer at a position that must be in `0 ..< count`. Skips the bounds check.
    @unsafe subscript(unchecked position: Int) -> UInt32 { get }
}

extension PackedView: IntegerSequence where Value == UInt32 {
    static var blockShift: Int { 6 }

    /// Returns the range between two consecutive offsets in this view, within `0 ..< end`. Empty if they are out of
    /// order.
    @inline(__always)
    func range(at position: Int, within end: Int) -> Range<Int> {
        let low = Swift.min(Int(self[position]), end)
        return low..<Swift.max(low, Swift.min(Int(self[position + 1]), end))
    }
}
