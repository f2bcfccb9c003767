/// The limits at which changes become segments and segments are merged into a new index.
public struct MergePolicy: Sendable {
    /// The maximum number of changes that are indexed again after each further change. More changes form a segment that
    /// is kept.
    public var maxPendingChanges: Int
    /// The index is rebuilt in the background after more changes than the number of documents divided by this, at least
    /// ``minChangesBeforeRebuild``.
    public var rebuildDivisor: Int
    /// The minimum number of changes before a rebuild.
    public var minChangesBeforeRebuild: Int
    /// The factor by which changes must exceed the limit for a rebuild before searches wait for it.
    public var blockingRebuildFactor: Int

    /// Creates a policy; see the properties.
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
