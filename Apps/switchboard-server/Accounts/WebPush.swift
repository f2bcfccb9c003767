import Crypto
public import Foundation
public import SwitchboardErrors
import SwitchboardJSON
import SwitchboardStorage

/// A browser that receives messages through its push service (Push API, W3C).
public struct PushSubscription: Hashable, Sendable {
    /// The URL of the push service that accepts messages for this browser.
    public let endpoint: String
    /// The public key of the browser, an uncompressed point of P-256 (65 bytes).
    public let publicKey: Data
    /// The secret that the browser shares with the sender (16 bytes).
    public let authenticationSecret: Data

    /// The maximum length of an endpoint in bytes.
    public static let maximumEndpointLength = 2048

    /// Creates a subscription.
    ///
    /// - Parameters:
    ///   - endpoint: The URL of the push service.
    ///   - publicKey: The member `p256dh` of the browser's subscription, in base64url.
    ///   - authenticationSecret: The member `auth`, in base64url.
    /// - Throws: ``PushError``.
    public init(endpoint: String, publicKey: String, authenticationSecret: String) throws(PushError) {
        guard let key = Data(lenientBase64URL: publicKey),
            (try? P256.KeyAgreement.PublicKey(x963Representation: key)) != nil
        else { throw .invalidKey }
        guard let secret = Data(lenientBase64URL: authenticationSecret), secret.count == 16 else {
            throw .invalidSecret
        }
        try self.init(endpoint: endpoint, publicKey: key, authenticationSecret: secret)
    }

    /// Creates a subscription with a key and a secret that are known to be valid.
    ///
    /// - Throws: ``PushError/invalidEndpoint(_:)``.
    public init(endpoint: String, publicKey: Data, authenticationSecret: Data) throws(PushError) {
        guard endpoint.utf8.count <= Self.maximumEndpointLength, PushSubscription.origin(of: endpoint) != nil else {
            throw .invalidEndpoint(endpoint)
        }
        self.endpoint = endpoint
        self.publicKey = publicKey
        self.authenticationSecret = authenticationSecret
    }

    /// The scheme, host and port of the push service, such as `https://push.example.org`.
    public var origin: String { PushSubscription.origin(of: endpoint) ?? "" }

    private static func origin(of endpoint: String) -> String? {
        guard let url = URL(string: endpoint), let scheme = url.scheme?.lowercased(),
            ["http", "https"].contains(scheme),
            let host = url.host(percentEncoded: true)?.lowercased(), !host.isEmpty, url.user() == nil,
            url.password() == nil
        else { return nil }
        let isIPv6 = host.contains(":") && !host.hasPrefix("[")
        return "\(scheme)://\(isIPv6 ? "[\(host)]" : host)\(url.port.map { ":\($0)" } ?? "")"
    }
}

/// An error in a subscription.
public enum PushError: CodedError, Equatable {
    /// The endpoint is not a URL, or is too long.
    case invalidEndpoint(String)
    /// The key is not an uncompressed point of P-256.
    case invalidKey
    /// The secret does not have 16 bytes.
    case invalidSecret

    /// The code, the category and the message.
    public var details: ErrorDetails {
        switch self {
        case .invalidEndpoint(let text):
            .init(
                "invalidEndpoint", .usage,
                "endpoint: cannot use “\(text.prefix(100))”; use the URL of a push service")
        case .invalidKey:
            .init("invalidKey", .usage, "p256dh: not a public key of P-256; use the browser's subscription as it is")
        case .invalidSecret:
            .init("invalidSecret", .usage, "auth: not a secret of 16 bytes; use the browser's subscription as it is")
        }
    }
}

extension Data {
    /// Decodes base64url with or without padding (RFC 4648, section 5); nil if the text is something else.
    fileprivate init?(lenientBase64URL text: String) {
        guard text.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "/") }) else { return nil }
        let unpadded = text.replacing("-", with: "+").replacing("_", with: "/").prefix { $0 != "=" }
        self.init(base64Encoded: unpadded + String(repeating: "=", count: (4 - unpadded.count % 4) % 4))
    }
}

// Each `unsafe` is safe because the bytes are copied within the closure.

/// The encryption of push messages, which only the browser can read (RFC 8291, RFC 8188).
public enum PushMessage {
    /// The maximum length of a text in bytes. Push services accept 4,096 bytes, including the header and the padding.
    public static let maximumLength = 4096 - headerLength - 17

    private static let headerLength = 16 + 4 + 1 + 65

    /// Returns the body of a request with the content encoding `aes128gcm`.
    ///
    /// - Parameters:
    ///   - text: The message, of at most ``maximumLength`` bytes.
    ///   - subscription: The receiver.
    public static func encrypt(_ text: Data, for subscription: PushSubscription) throws -> Data {
        // Safe: the bytes are copied.
        let salt = unsafe SymmetricKey(size: .bits128).withUnsafeBytes { unsafe Data($0) }
        return try encrypt(text, for: subscription, key: P256.KeyAgreement.PrivateKey(), salt: salt)
    }

    /// Encrypts with a given key and salt, which must be used only once.
    static func encrypt(
        _ text: Data, for subscription: PushSubscription, key: P256.KeyAgreement.PrivateKey, salt: Data
    ) throws -> Data {
        let receiver = try P256.KeyAgreement.PublicKey(x963Representation: subscription.publicKey)
        let sender = key.publicKey.x963Representation
        // RFC 8291, section 3.4.
        let input = try key.sharedSecretFromKeyAgreement(with: receiver).hkdfDerivedSymmetricKey(
            using: SHA256.self, salt: subscription.authenticationSecret,
            sharedInfo: Data("WebPush: info\0".utf8) + subscription.publicKey + sender, outputByteCount: 32)
        // RFC 8188, section 2.2.
        func derive(_ purpose: String, _ count: Int) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: input, salt: salt, info: Data("Content-Encoding: \(purpose)\0".utf8),
                outputByteCount: count)
        }
        let nonce = try unsafe derive("nonce", 12).withUnsafeBytes { unsafe try AES.GCM.Nonce(data: $0) }
        // The delimiter of the last record, without padding.
        let box = try AES.GCM.seal(text + [2], using: derive("aes128gcm", 16), nonce: nonce)
        let recordSize = Data([0, 0, 16, 0])
        return salt + recordSize + [UInt8(sender.count)] + sender + box.ciphertext + box.tag
    }
}

/// The key that identifies this server to push services (VAPID, RFC 8292).
public struct PushServerKey: Sendable {
    private let key: P256.Signing.PrivateKey

    /// The lifetime of a signature in seconds; services accept at most a day.
    private static let lifetime: TimeInterval = 12 * 3600

    /// Creates a random key.
    public init() {
        key = P256.Signing.PrivateKey()
    }

    /// Restores a key from its bytes.
    ///
    /// - Throws: `CryptoKitError` if the bytes are not a private key of P-256.
    public init(bytes: Data) throws {
        key = try P256.Signing.PrivateKey(rawRepresentation: bytes)
    }

    /// The 32 bytes of the private key.
    public var bytes: Data { key.rawRepresentation }

    /// The public key, with which a browser subscribes: an uncompressed point of P-256 in base64url.
    public var publicKey: String { key.publicKey.x963Representation.base64URL }

    /// Returns the value of the `Authorization` field of a message.
    ///
    /// - Parameters:
    ///   - origin: The origin of the push service.
    ///   - contact: A URL at which the service can reach the operator: `https:` or `mailto:`.
    ///   - now: The current time.
    public func authorization(for origin: String, contact: String, now: Date = Date()) throws -> String {
        struct Claims: Encodable {
            let aud: String
            let exp: Int
            let sub: String
        }
        let claims = Claims(aud: origin, exp: Int(now.timeIntervalSince1970 + Self.lifetime), sub: contact)
        let header = Data(#"{"alg":"ES256","typ":"JWT"}"#.utf8)
        let signed = try "\(header.base64URL).\(Data(OrderedJSON.text(claims).utf8).base64URL)"
        let signature = try key.signature(for: Data(signed.utf8)).rawRepresentation
        return "vapid t=\(signed).\(signature.base64URL), k=\(publicKey)"
    }
}

/// The pauses in sending after messages that a push service did not answer.
///
/// A service that hangs costs the sender the whole timeout of a message. After the first timeout, further messages fail
/// immediately for a while: 15 seconds, then twice as long after each failure, up to 15 minutes.
///
/// A pause applies to one person and one origin, because paths of one origin may behave differently. No one can make
/// the server pause messages to other people.
public struct PushPauses: Sendable {
    private struct Key: Hashable {
        let person: String
        let origin: String
    }

    private struct Pause {
        let reason: String
        let length: Duration
        let end: ContinuousClock.Instant
    }

    /// The length of the first pause.
    public static let shortest = Duration.seconds(15)
    /// The maximum length of a pause.
    public static let longest = Duration.seconds(900)

    private var pauses: [Key: Pause] = [:]
    /// The times until which further failures of an origin are not reported.
    private var quietUntil: [String: ContinuousClock.Instant] = [:]

    /// Creates a list without pauses.
    public init() {}

    /// Returns the reason why messages of a person to an origin are paused; nil if they are not.
    public func reason(for person: String, _ origin: String, at now: ContinuousClock.Instant = .now) -> String? {
        pauses[Key(person: person, origin: origin)].flatMap { now < $0.end ? $0.reason : nil }
    }

    /// Begins a pause, twice as long as the previous one if messages have not been answered since.
    public mutating func begin(
        for person: String, _ origin: String, because reason: String, at now: ContinuousClock.Instant = .now
    ) {
        // Drop pauses that ended long ago, so the list does not grow.
        pauses = pauses.filter { now - $0.value.end < Self.longest }
        let key = Key(person: person, origin: origin)
        let length = pauses[key].map { min($0.length * 2, Self.longest) } ?? Self.shortest
        pauses[key] = Pause(reason: reason, length: length, end: now + length)
    }

    /// Ends the pause of a person and an origin that has answered.
    public mutating func end(for person: String, _ origin: String) {
        pauses[Key(person: person, origin: origin)] = nil
    }

    /// Returns `true` if a failure of an origin should be reported: once per pause, and once every fifteen minutes if
    /// it did not lead to a pause.
    public mutating func shouldReport(
        for person: String, _ origin: String, at now: ContinuousClock.Instant = .now
    ) -> Bool {
        quietUntil = quietUntil.filter { now < $0.value }
        guard quietUntil[origin] == nil else { return false }
        quietUntil[origin] = now + (pauses[Key(person: person, origin: origin)]?.length ?? Self.longest)
        return true
    }
}
