/// Operations on ranges to highlight.
public enum HighlightRanges {
    /// Returns the ranges sorted and disjoint, without empty ones. Adjacent ranges are merged.
    public static func merged(_ ranges: [Range<Int>]) -> [Range<Int>] {
        if ranges.count == 1, !ranges[0].isEmpty { return ranges }
        var result: [Range<Int>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
            if let last = result.last, range.lowerBound <= last.upperBound {
                result[result.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                result.append(range)
            }
        }
        return result
    }
}
