extension Storage {
    /// Returns a new random identifier: 60 bits as twelve letters and digits.
    package static func newIdentifier() -> String {
        // Crockford's Base32 alphabet avoids letters that look alike.
        let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
        let bits = UInt64.random(in: .min ... .max)
        let letters = (0..<12).map { (place: Int) -> UInt8 in alphabet[Int(bits >> (place * 5) & 31)] }
        return String(decoding: letters, as: UTF8.self)
    }
}
