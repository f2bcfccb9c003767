public import SwitchboardBadges

/// Badges with names in several scripts, which reveal wrong encodings.
public enum SampleBadges {
    /// The badges.
    public static let people: [Badge] = [
        Badge(name: "José Ñandú", email: "jose@example.org", organization: "Zwölf GmbH"),
        Badge(name: "Łukasz Żółć", email: "lukasz@example.org", phone: "+48 22 555 01 23"),
        Badge(name: "Đặng Văn Ân", email: "dang@example.org"),
        Badge(name: "王伟", email: "wang@example.org", organization: "例子有限公司"),
        Badge(name: "Мария Иванова", email: "maria@example.org", title: "Инженер"),
    ]

    /// The payloads of the codes: for each badge a vCard, and a name above an address.
    public static var payloads: [String] { people.flatMap { [$0.vCard, "\($0.name)\n\($0.email)"] } }

    /// Returns a picture of each code with modules of eight pixels.
    public static func pictures() throws(QRCodeError) -> [(payload: String, picture: GreyPicture)] {
        var pictures: [(payload: String, picture: GreyPicture)] = []
        for payload in payloads { pictures.append((payload, try QRCode(payload).picture(moduleSize: 8))) }
        return pictures
    }
}
