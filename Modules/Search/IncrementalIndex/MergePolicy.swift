/// The limits at which changes become segments and segments are merged into a new index.
public struct MergePolicy: Sendable {
    /// The maximum number of recent changes that are indexed again after each further change. Beyond it, changes form a
    /// segment that is kept.
    public var maxPendingChanges = 256
    /// The divisor that limits the changes before a background rebuild: the number of documents divided by this, but at
    /// least ``minChangesBeforeRebuild``.
    public var rebuildDivisor = 33
    /// The minimum number of changes before a rebuild.
    public var minChangesBeforeRebuild = 2_000
    /// The factor by which changes must exceed the limit for a rebuild before searches wait for it.
    public var blockingRebuildFactor = 8

    /// Creates a policy with the default limits.
    public init() {}
}
