import Crypto
public import Foundation
@_exported public import SwitchboardErrors

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
        guard let key = Data(base64URL: publicKey), (try? P256.KeyAgreement.PublicKey(x963Representation: key)) != nil
        else { throw .invalidKey }
        guard let secret = Data(base64URL: authenticationSecret), secret.count == 16 else { throw .invalidSecret }
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
    /// Decodes base64url without padding (RFC 4648, section 5); nil if the text is something else.
    init?(base64URL text: String) {
        guard text.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "/") }) else { return nil }
        let unpadded = text.replacing("-", with: "+").replacing("_", with: "/").prefix { $0 != "=" }
        self.init(base64Encoded: unpadded + String(repeating: "=", count: (4 - unpadded.count % 4) % 4))
    }

    /// The bytes as base64url without padding.
    var base64URL: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
