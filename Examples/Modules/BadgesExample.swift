import SwitchboardBadges

func badges() throws {
    let code = try QRCode(Badge(name: "Łukasz Nowak", email: "lukasz@example.org").vCard)
    let pictureFile = try code.png()
    for code in try BadgeReader().read(pictureFile) {
        switch code.badge {
        case .success(let badge): print(badge.name, badge.email)
        case .failure(let refusal): print(refusal.message, refusal.text)
        }
    }
}
