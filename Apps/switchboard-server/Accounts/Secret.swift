import Crypto
import Foundation

/// Random texts that let somebody in, and what is kept of them.
///
/// A secret has 256 random bits, so a plain SHA-256 of it is as good as a slow hash would be: there is nothing to guess.
enum Secret {
    /// 43 characters of base64url (RFC 4648, section 5) that stand for 256 random bits.
    static func make() -> String {
        SymmetricKey(size: .bits256).withUnsafeBytes { base64URL(Data($0)) }
    }

    /// Twelve small letters and digits, of which the first is a letter.
    static func identifier() -> String {
        let letters = Array("abcdefghjkmnpqrstvwxyz0123456789".utf8)
        var random = SystemRandomNumberGenerator()
        return String(
            decoding: (0..<12).map { letters[Int.random(in: 0..<($0 == 0 ? 22 : letters.count), using: &random)] },
            as: UTF8.self)
    }

    /// What is kept of a secret.
    static func hash(_ secret: String) -> Data { Data(SHA256.hash(data: Data(secret.utf8))) }

    static func base64URL(_ data: Data) -> String {
        data.base64EncodedString().replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }

    /// Whether two hashes are the same, in a time that does not tell where they differ.
    static func isSame(_ one: Data, _ other: Data) -> Bool {
        guard one.count == other.count else { return false }
        return zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
