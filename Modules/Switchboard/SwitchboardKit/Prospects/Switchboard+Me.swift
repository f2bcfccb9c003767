import SwitchboardBadges
public import SwitchboardProspects

extension Switchboard {
    /// Keeps what stands on one's own badge.
    ///
    /// - Returns: what was kept.
    /// - Throws: `QRCodeError` for what does not fit into a code, `ProspectsError`, `StorageError`; nothing is kept then.
    public func setMe(_ me: MyDetails) throws -> MyDetails {
        if me != MyDetails() { _ = try QRCode(Badge(me).vCard) }
        return try prospects.setMe(me)
    }
}
