import Crypto
import Foundation
import SwitchboardErrors
import SwitchboardStorage
import Testing

@testable import SwitchboardAccounts

@Suite("Web Push") struct WebPushTests {
    /// The example of RFC 8291, section 5.
    private enum Example {
        static let text = "When I grow up, I want to be a watermelon"
        static let senderKey = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
        static let receiverKey =
            "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
        static let secret = "BTBZMqHH6r4Tts7J_aSIgg"
        static let salt = "DGv6ra1nlYgDCS1FRnbzlw"
        static let body =
            "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_"
            + "yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    }

    private func subscription(
        endpoint: String = "https://push.example.org/a", key: String = Example.receiverKey,
        secret: String = Example.secret
    ) throws -> PushSubscription {
        try PushSubscription(endpoint: endpoint, publicKey: key, authenticationSecret: secret)
    }

    @Test("The example of RFC 8291 is encrypted as printed there")
    func example() throws {
        let key = try P256.KeyAgreement.PrivateKey(
            rawRepresentation: try #require(Data(base64URL: Example.senderKey)))
        let body = try PushMessage.encrypt(
            Data(Example.text.utf8), for: subscription(), key: key,
            salt: try #require(Data(base64URL: Example.salt)))
        #expect(body.base64URL == Example.body)
    }

    @Test("Each message has its own key, and the longest one fits into what services accept")
    func messages() throws {
        let text = Data(repeating: 0x61, count: PushMessage.maximumLength)
        let (first, second) = (
            try PushMessage.encrypt(text, for: subscription()), try PushMessage.encrypt(text, for: subscription())
        )
        #expect(first.count == 4096 && second.count == 4096 && first != second)
    }

    @Test("The signature names the service and the operator, and belongs to the public key")
    func signature() throws {
        let key = try PushServerKey(bytes: PushServerKey().bytes)
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let field = try key.authorization(
            for: "https://push.example.org", contact: "mailto:ana@example.org", now: now)
        let match = try #require(field.wholeMatch(of: /vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)/))
        #expect(match.4 == key.publicKey)
        let header = try #require(Data(base64URL: String(match.1)))
        #expect(String(decoding: header, as: UTF8.self) == #"{"alg":"ES256","typ":"JWT"}"#)
        let data = try #require(Data(base64URL: String(match.2)))
        let claims = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(claims["aud"] as? String == "https://push.example.org")
        #expect(claims["sub"] as? String == "mailto:ana@example.org")
        let expiry = try #require(claims["exp"] as? Int)
        #expect(expiry > 1_800_000_000 && expiry <= 1_800_000_000 + 86_400)
        let publicKey = try P256.Signing.PublicKey(
            x963Representation: try #require(Data(base64URL: key.publicKey)))
        let signature = try P256.Signing.ECDSASignature(
            rawRepresentation: try #require(Data(base64URL: String(match.3))))
        #expect(publicKey.isValidSignature(signature, for: Data("\(match.1).\(match.2)".utf8)))
        #expect(!publicKey.isValidSignature(signature, for: Data("\(match.1).e30".utf8)))
    }

    @Test("A subscription has an address, a key and a secret of the right kind")
    func subscriptions() throws {
        let valid = try subscription()
        #expect(valid.origin == "https://push.example.org" && valid.publicKey.count == 65)
        #expect(try subscription(endpoint: "HTTP://[::1]:8080/x?y").origin == "http://[::1]:8080")
        let long = "https://push.example.org/" + String(repeating: "x", count: 2048)
        for endpoint in ["", "push.example.org", "ftp://push.example.org/", "https:///x", "https://a:b@c.org/", long] {
            #expect(throws: PushError.invalidEndpoint(endpoint)) { try subscription(endpoint: endpoint) }
        }
        let offCurve = "B" + String(repeating: "A", count: 86)
        for key in ["", "x", String(Example.receiverKey.dropLast(4)), offCurve, "+" + Example.receiverKey.dropFirst()] {
            #expect(throws: PushError.invalidKey) { try subscription(key: key) }
        }
        for secret in ["", "AAAA", Example.secret + "AA", "BTBZMqHH6r4Tts7J/aSIgg"] {
            #expect(throws: PushError.invalidSecret) { try subscription(secret: secret) }
        }
    }
}
