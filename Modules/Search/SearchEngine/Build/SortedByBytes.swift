/// Returns the numbers 0 ..< count in the order of their byte strings. Equal strings keep the order of their numbers.
///
/// The first eight bytes of each string are sorted as one integer, so most comparisons read no string. O(n log n).
func sortedByBytes(count: Int, bytes: [UInt8], bounds: (Int) -> Range<Int>) -> [UInt32] {
    struct Key {
        var head: UInt64
        var start: UInt32
        var length: UInt32
        var number: UInt32
    }
    let bytes = bytes.span
    var keys: [Key] = []
    keys.reserveCapacity(count)
    for number in 0..<count {
        let range = bounds(number)
        var head: UInt64 = 0
        var shift: UInt64 = 56
        for position in range.prefix(8) {
            head |= UInt64(bytes[position]) << shift
            shift &-= 8
        }
        keys.append(
            Key(head: head, start: UInt32(range.lowerBound), length: UInt32(range.count), number: UInt32(number)))
    }
    keys.sort { left, right in
        if left.head != right.head { return left.head < right.head }
        // The first eight bytes are equal.
        let common = Int(Swift.min(left.length, right.length))
        for position in Swift.min(8, common)..<common {
            let (leftByte, rightByte) = (bytes[Int(left.start) + position], bytes[Int(right.start) + position])
            if leftByte != rightByte { return leftByte < rightByte }
        }
        return left.length == right.length ? left.number < right.number : left.length < right.length
    }
    return keys.map(\.number)
}
