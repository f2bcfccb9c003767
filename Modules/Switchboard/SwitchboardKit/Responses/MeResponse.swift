import SwitchboardBadges
public import SwitchboardProspects

/// One's own badge: `{"me": {…}, "vCard": "…"}`, where the vCard is what stands in the code.
public struct MeResponse: Encodable, Sendable {
    /// What one says of oneself.
    public let me: MyDetails
    /// The text of the code.
    public let vCard: String

    /// The badge of somebody.
    public init(_ me: MyDetails) {
        self.me = me
        vCard = Badge(me).vCard
    }
}
