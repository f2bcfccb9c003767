import Crypto
import Foundation
import SwitchboardStorage

/// Random secrets and their hashes.
///
/// A secret has 256 random bits and cannot be guessed, so a plain SHA-256 is as safe as a slow password hash.
enum Secret {
    /// Returns 256 random bits as 43 characters of base64url (RFC 4648, section 5).
    static func make() -> String {
        // Safe: the bytes are copied.
        unsafe SymmetricKey(size: .bits256).withUnsafeBytes { unsafe Data($0).base64URL }
    }

    /// Returns the hash to store for a secret.
    static func hash(_ secret: String) -> Data { Data(SHA256.hash(data: Data(secret.utf8))) }
}
