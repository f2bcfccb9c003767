import SwitchboardBadges
public import SwitchboardProspects

/// The user's own badge: `{"me": {…}, "vCard": "…"}`, where the vCard is the content of the QR code.
public struct MeResponse: Encodable, Sendable {
    /// The user's details.
    public let me: MyDetails
    /// The content of the QR code.
    public let vCard: String

    /// Creates the response for a badge.
    public init(_ me: MyDetails) {
        self.me = me
        vCard = Badge(me).vCard
    }
}
