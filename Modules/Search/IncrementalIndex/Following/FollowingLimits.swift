/// When changes become layers of an index, and layers a new index.
public struct FollowingLimits: Sendable {
    /// So many changes are indexed anew with each further one; more become a layer of their own.
    public var mostFresh: Int
    /// With more changes than this share of the records the index is made anew in the background; ``leastWorthwhile`` at least.
    public var staleShare: Int
    /// So few changes never make an index anew.
    public var leastWorthwhile: Int
    /// With this many times more nobody goes on with the layers.
    public var hopeless: Int

    /// Limits; see the properties.
    public init(mostFresh: Int = 256, staleShare: Int = 33, leastWorthwhile: Int = 2_000, hopeless: Int = 8) {
        self.mostFresh = mostFresh
        self.staleShare = staleShare
        self.leastWorthwhile = leastWorthwhile
        self.hopeless = hopeless
    }
}
