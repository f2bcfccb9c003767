/// The documents that a search collects before it checks them in order of rank: a sorted list of up to 1,024, then a
/// bitmap.
///
/// Most searches collect a few dozen. A bitmap would have to be cleared and read for all documents of the index.
final class CandidateList {
    private static let maxListed = 1024

    private let end: Int
    private let listed = Scratch<UInt32>(repeating: 0, count: CandidateList.maxListed)
    private var count = 0
    private var bits: [UInt64] = []

    /// - Parameter end: The end of the documents that are collected.
    init(end: Int) { self.end = end }

    @inline(__always)
    func insert(_ document: Int) {
        if document >= end { return }
        if !bits.isEmpty {
            bits[document >> 6] |= 1 << UInt64(document & 63)
            return
        }
        if count > 0, listed[count - 1] == UInt32(truncatingIfNeeded: document) { return }
        if count == CandidateList.maxListed { return insertIntoBitmap(document) }
        listed[count] = UInt32(truncatingIfNeeded: document)
        count += 1
    }

    private func insertIntoBitmap(_ document: Int) {
        sort()
        if count <= CandidateList.maxListed / 2 { return insert(document) }
        bits = Array(repeating: 0, count: (end + 63) / 64)
        for position in 0..<count { insert(Int(listed[position])) }
        insert(document)
    }

    /// Sorts the list and removes duplicates. Call it before reading the documents.
    func sort() {
        guard bits.isEmpty, count > 1 else { return }
        if count > 32 { sortByDigits() } else { listed.sort(count) }
        var last = 0
        for position in 1..<count where listed[position] != listed[last] {
            last += 1
            listed[last] = listed[position]
        }
        count = last + 1
    }

    /// Sorts by eight bits at a time, from the lowest on: O(count), without comparisons that a processor could not
    /// predict.
    private func sortByDigits() {
        let sorted = Scratch<UInt32>(repeating: 0, count: count)
        let ends = Scratch<Int>(repeating: 0, count: 256)
        var shift: UInt32 = 0
        while shift < UInt32.bitWidth, (end - 1) >> Int(shift) > 0 {
            ends.fill(0..<256, with: 0)
            for position in 0..<count { ends[Int(listed[position] >> shift & 255)] += 1 }
            for digit in 1..<256 { ends[digit] += ends[digit - 1] }
            for position in (0..<count).reversed() {
                let digit = Int(listed[position] >> shift & 255)
                ends[digit] -= 1
                sorted[ends[digit]] = listed[position]
            }
            for position in 0..<count { listed[position] = sorted[position] }
            shift += 8
        }
    }

    /// A position in the documents, in ascending order.
    struct Cursor {
        fileprivate var next = 0
    }

    /// Returns the first document from a cursor on, or `Int.max` at the end.
    @inline(__always)
    func document(at cursor: inout Cursor) -> Int {
        if bits.isEmpty { return cursor.next < count ? Int(listed[cursor.next]) : .max }
        while cursor.next >> 6 < bits.count {
            let left = bits[cursor.next >> 6] >> UInt64(cursor.next & 63)
            if left != 0 {
                cursor.next += left.trailingZeroBitCount
                return cursor.next
            }
            cursor.next = (cursor.next >> 6 + 1) << 6
        }
        return .max
    }

    /// Moves a cursor past its document.
    @inline(__always)
    func advance(_ cursor: inout Cursor) { cursor.next += 1 }

    /// Returns the documents of the `position`-th group of 64, and moves the cursor past them.
    @inline(__always)
    func group(_ position: Int, _ cursor: inout Cursor) -> UInt64 {
        if !bits.isEmpty { return bits[position] }
        var group: UInt64 = 0
        while cursor.next < count, Int(listed[cursor.next]) >> 6 == position {
            group |= 1 << UInt64(listed[cursor.next] & 63)
            cursor.next += 1
        }
        return group
    }
}
