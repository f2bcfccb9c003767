import Foundation
import SwitchboardKit

/// What a telephone or mail program needs to synchronize.
struct DeviceAccount {
    /// The address of the server, http or https.
    let url: URL
    let user: String
    let password: String
    /// The name of the device.
    let device: String

    /// The address with name and password, which DAVx⁵ opens when its QR code is scanned.
    var loginAddress: String? {
        var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        parts?.scheme = url.scheme == "https" ? "carddavs" : "carddav"
        parts?.user = user
        parts?.password = password
        if parts?.path.isEmpty ?? false { parts?.path = "/" }
        return parts?.string
    }

    /// A configuration profile for iOS and macOS (`.mobileconfig`) with a CardDAV and a CalDAV account.
    func profile() throws -> Data {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .xml
        return try encoder.encode(Profile(self))
    }
}

/// A configuration profile (Apple, "Device Management", CardDAV and CalDAV).
private struct Profile: Encodable {
    private enum Key: String, CodingKey {
        case content = "PayloadContent"
        case name = "PayloadDisplayName"
        case identifier = "PayloadIdentifier"
        case type = "PayloadType"
        case uuid = "PayloadUUID"
        case version = "PayloadVersion"
    }

    /// The keys of an account, which begin with its kind.
    private struct AccountKey: CodingKey {
        let stringValue: String
        let intValue: Int? = nil
        init(_ text: String) { stringValue = text }
        init?(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }

    private let account: DeviceAccount

    init(_ account: DeviceAccount) { self.account = account }

    func encode(to encoder: any Encoder) throws {
        var profile = encoder.container(keyedBy: Key.self)
        try describe(&profile, type: "Configuration", name: "Switchboard (\(account.device))")
        var content = profile.nestedUnkeyedContainer(forKey: .content)
        for (kind, type) in [("CardDAV", "com.apple.carddav.account"), ("CalDAV", "com.apple.caldav.account")] {
            let encoder = content.superEncoder()
            var payload = encoder.container(keyedBy: Key.self)
            try describe(&payload, type: type, name: kind)
            var values = encoder.container(keyedBy: AccountKey.self)
            let isSecure = account.url.scheme == "https"
            try values.encode("Switchboard", forKey: AccountKey(kind + "AccountDescription"))
            try values.encode(account.url.host ?? "", forKey: AccountKey(kind + "HostName"))
            try values.encode(account.url.port ?? (isSecure ? 443 : 80), forKey: AccountKey(kind + "Port"))
            try values.encode(isSecure, forKey: AccountKey(kind + "UseSSL"))
            try values.encode(account.user, forKey: AccountKey(kind + "Username"))
            try values.encode(account.password, forKey: AccountKey(kind + "Password"))
        }
    }

    private func describe(_ payload: inout KeyedEncodingContainer<Key>, type: String, name: String) throws {
        let uuid = UUID().uuidString
        try payload.encode(type, forKey: .type)
        try payload.encode(name, forKey: .name)
        try payload.encode("switchboard." + uuid, forKey: .identifier)
        try payload.encode(uuid, forKey: .uuid)
        try payload.encode(1, forKey: .version)
    }
}
