import Crypto
public import Foundation
import SwitchboardJSON

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
