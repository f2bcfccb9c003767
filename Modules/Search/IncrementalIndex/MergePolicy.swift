/// When changes become segments of an index, and segments a new index.
public struct MergePolicy: Sendable {
    /// So many changes are indexed anew with each further one; more become a segment of their own.
    public var maxPendingChanges: Int
    /// With more changes than this share of the documents the index is made anew in the background; ``minChangesBeforeRebuild`` at least.
    public var rebuildDivisor: Int
    /// So few changes never make an index anew.
    public var minChangesBeforeRebuild: Int
    /// With this many times more nobody goes on with the segments.
    public var blockingRebuildFactor: Int

    /// Limits; see the properties.
    public init(
        maxPendingChanges: Int = 256, rebuildDivisor: Int = 33, minChangesBeforeRebuild: Int = 2_000,
        blockingRebuildFactor: Int = 8
    ) {
        self.maxPendingChanges = maxPendingChanges
        self.rebuildDivisor = rebuildDivisor
        self.minChangesBeforeRebuild = minChangesBeforeRebuild
        self.blockingRebuildFactor = blockingRebuildFactor
    }
}
