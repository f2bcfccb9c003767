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
        let low = first(0..<count) { comparePrefix(of: $0, to: letters) >= 0 }
        return low..<first(low..<count) { comparePrefix(of: $0, to: letters) > 0 }
    }

    /// The first word of which something holds that holds of all words behind it, too.
    @inline(__always)
    private func first(_ bounds: Range<Int>, where holds: (Int) -> Bool) -> Int {
        var low = bounds.lowerBound
        var high = bounds.upperBound
        while low < high {
            let middle = (low + high) / 2
            if holds(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// Below, at or above zero as a word sorts before some letters, begins with them, or sorts after them.
    @inline(__always)
    private func comparePrefix(of word: Int, to letters: UnsafeBufferPointer<UInt8>) -> Int {
        compareBytes(
            start(of: word), Swift.min(length(of: word), letters.count), letters.baseAddress, letters.count)
    }

    /// The number of a word, or nil. O(length · log words).
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

/// Negative, zero or positive as the first run of bytes sorts before, with or after the second; a prefix sorts
/// first.
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
