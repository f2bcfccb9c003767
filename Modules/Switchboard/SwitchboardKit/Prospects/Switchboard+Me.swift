import SwitchboardBadges
public import SwitchboardProspects

extension Switchboard {
    /// Stores the details of the user's own badge.
    ///
    /// - Returns: The stored details.
    /// - Throws: `QRCodeError` if the details do not fit into a QR code, `ProspectsError`, `StorageError`.
    public func setMe(_ me: MyDetails) throws -> MyDetails {
        if me != MyDetails() { _ = try QRCode(Badge(me).vCard) }
        return try prospects.setMe(me)
    }
}
