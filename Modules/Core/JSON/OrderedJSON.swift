/// Encodes JSON on one line with keys in the order of encoding, which is the documented order.
///
/// Foundation's encoder sorts keys or leaves them unordered. Control characters, including those of ISO 6429 above
/// ASCII, and bidirectional formatting characters are escaped as `\u`, so that output shown on a terminal cannot
/// control it. Non-finite numbers become null.
public enum OrderedJSON {
    /// Returns a value as UTF-8, without a trailing line feed.
    ///
    /// - Throws: The errors of the value's `encode(to:)`.
    /// - Complexity: Linear in the size of the output.
    public static func bytes(_ value: some Encodable) throws -> [UInt8] { try bytes(value, capacity: 8192) }

    /// Returns a value as UTF-8, reserving memory for `capacity` bytes.
    static func bytes(_ value: some Encodable, capacity: Int) throws -> [UInt8] {
        let writer = JSONWriter(capacity: capacity)
        try value.encode(to: JSONWriterEncoder(writer: writer, depth: 0))
        return writer.finish()
    }

    /// Returns a value as text.
    ///
    /// - Throws: The errors of the value's `encode(to:)`.
    public static func text(_ value: some Encodable) throws -> String {
        String(decoding: try bytes(value), as: UTF8.self)
    }
}
