public import SwitchboardBadges

/// Badges of people whose names tell whether encodings are understood.
public enum SampleBadges {
    /// Who wears them.
    public static let people: [Badge] = [
        Badge(name: "José Ñandú", email: "jose@example.org", organization: "Zwölf GmbH"),
        Badge(name: "Łukasz Żółć", email: "lukasz@example.org", phone: "+48 22 555 01 23"),
        Badge(name: "Đặng Văn Ân", email: "dang@example.org"),
        Badge(name: "王伟", email: "wang@example.org", organization: "例子有限公司"),
        Badge(name: "Мария Иванова", email: "maria@example.org", title: "Инженер"),
    ]

    /// What stands in the codes: of each person a vCard and a name above an address.
    public static var payloads: [String] { people.flatMap { [$0.vCard, "\($0.name)\n\($0.email)"] } }

    /// A picture of each code, modules of eight pixels.
    public static func pictures() throws(QRCodeError) -> [(payload: String, picture: GreyPicture)] {
        var pictures: [(payload: String, picture: GreyPicture)] = []
        for payload in payloads { pictures.append((payload, try QRCode(payload).picture(moduleSize: 8))) }
        return pictures
    }
}
