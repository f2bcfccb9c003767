extension String {
    /// Returns ranges of Unicode scalars, as searches return them to be highlighted, as ranges of this text.
    ///
    /// Bounds outside of the text are its start or end. Linear in the length of the text if the ranges are in order.
    ///
    /// - Parameter ranges: Ranges of Unicode scalars; nil for none.
    public func ranges(ofScalars ranges: [Range<Int>]?) -> [Range<String.Index>] {
        var (offset, index) = (0, startIndex)
        func place(of bound: Int) -> String.Index {
            let bound = max(bound, 0)
            if bound < offset { (offset, index) = (0, startIndex) }
            index = unicodeScalars.index(index, offsetBy: bound - offset, limitedBy: endIndex) ?? endIndex
            offset = bound
            return index
        }
        return (ranges ?? []).map { place(of: $0.lowerBound)..<place(of: $0.upperBound) }
    }

    /// Returns the text with marks around ranges of Unicode scalars.
    ///
    /// For example, `hit.person.displayName.highlighted(hit.highlights["name"])` is `[Jog]o`.
    ///
    /// - Parameters:
    ///   - ranges: Ranges of Unicode scalars in order; nil for none. One that overlaps an earlier one is left out.
    ///   - before: The mark before each range, such as `<b>`.
    ///   - after: The mark after each range.
    public func highlighted(_ ranges: [Range<Int>]?, before: String = "[", after: String = "]") -> String {
        var text = ""
        var end = startIndex
        for range in self.ranges(ofScalars: ranges) where range.lowerBound >= end {
            text += self[end..<range.lowerBound] + before + self[range] + after
            end = range.upperBound
        }
        return text + self[end...]
    }
}
