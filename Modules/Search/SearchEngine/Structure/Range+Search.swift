extension Range<Int> {
    /// Returns the first index at which a monotonic predicate holds, or the upper bound. O(log count).
    @inline(__always)
    func partitioningIndex(where predicate: (Int) -> Bool) -> Int {
        var low = lowerBound
        var high = upperBound
        while low < high {
            let middle = (low + high) / 2
            if predicate(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// Returns the indices at which an ascending order is zero. O(log count).
    ///
    /// - Parameter order: Negative for the indices before, positive for those after.
    @inline(__always)
    func indices(where order: (Int) -> Int) -> Range<Int> {
        let low = partitioningIndex { order($0) >= 0 }
        return low..<(low..<upperBound).partitioningIndex { order($0) > 0 }
    }
}
