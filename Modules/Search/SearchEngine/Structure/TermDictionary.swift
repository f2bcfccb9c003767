/// The distinct words of a field, sorted by their bytes.
struct TermDictionary: Sendable {
    let offsets: PackedView<UInt32>
    let bytes: View<UInt8>

    var count: Int { offsets.count - 1 }

    @inline(__always)
    func start(of word: Int) -> UnsafePointer<UInt8> { bytes.base + Int(offsets[word]) }

    @inline(__always)
    func length(of word: Int) -> Int { Int(offsets[word + 1] - offsets[word]) }

    /// The words that begin with some letters. O(letters · log words).
    func range(ofPrefix letters: UnsafeBufferPointer<UInt8>) -> Range<Int> {
        let low = (0..<count).partitioningIndex { comparePrefix(of: $0, to: letters) >= 0 }
        return low..<(low..<count).partitioningIndex { comparePrefix(of: $0, to: letters) > 0 }
    }

    /// Negative if a word sorts before some letters, zero if it begins with them, positive if it sorts after them.
    @inline(__always)
    private func comparePrefix(of word: Int, to letters: UnsafeBufferPointer<UInt8>) -> Int {
        compareBytes(
            start(of: word), Swift.min(length(of: word), letters.count), letters.baseAddress, letters.count)
    }

    /// Returns the number of a word, or nil. O(length · log words).
    func find(_ key: UnsafeBufferPointer<UInt8>) -> Int? {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            let order = compareBytes(start(of: middle), length(of: middle), key.baseAddress, key.count)
            if order == 0 { return middle }
            if order < 0 { low = middle + 1 } else { high = middle }
        }
        return nil
    }
}

/// Compares two byte strings. A proper prefix sorts first.
///
/// - Returns: A negative number, zero or a positive number.
@inline(__always)
func compareBytes(
    _ left: UnsafePointer<UInt8>?, _ leftCount: Int, _ right: UnsafePointer<UInt8>?, _ rightCount: Int
) -> Int {
    let common = Swift.min(leftCount, rightCount)
    if let left, let right {
        var position = 0
        while position < common {
            let difference = Int(left[position]) - Int(right[position])
            if difference != 0 { return difference }
            position += 1
        }
    }
    return leftCount - rightCount
}
