/// Encodes JSON on one line with keys in the order of encoding, which is the documented order.
///
/// Foundation's encoder sorts keys or leaves them unordered. Control characters, including those of ISO 6429 above
/// ASCII, and bidirectional formatting characters are escaped as `\u`, so that output shown on a terminal cannot
/// control it. Non-finite numbers become null.
public enum OrderedJSON {
    /// Returns a value as UTF-8, without a trailing line feed.
    ///
    /// - Throws: The errors of the value's `encode(to:)`.
    /// - Complexity: Linear; some 0.3 µs per key.
    public static func bytes(_ value: some Encodable) throws -> [UInt8] {
        let root = JSONNode()
        try value.encode(to: JSONNodeEncoder(node: root, codingPath: []))
        var bytes: [UInt8] = []
        bytes.reserveCapacity(1024)
        root.write(into: &bytes)
        return bytes
    }

    /// Returns a value as text.
    ///
    /// - Throws: The errors of the value's `encode(to:)`.
    public static func text(_ value: some Encodable) throws -> String {
        String(decoding: try bytes(value), as: UTF8.self)
    }
}

/// A node of the document, filled while the value encodes itself.
final class JSONNode {
    enum Content {
        case null
        case bool(Bool)
        case number(String)
        case string(String)
        case array([JSONNode])
        case object([(key: String, value: JSONNode)])
    }

    var content = Content.null

    func append(_ node: JSONNode) {
        guard case .array(var nodes) = content else { return }
        // Release the reference in `content`, so that the array grows in place.
        content = .null
        nodes.append(node)
        content = .array(nodes)
    }

    func set(_ key: String, _ node: JSONNode) {
        guard case .object(var members) = content else { return }
        content = .null
        members.append((key, node))
        content = .object(members)
    }

    func write(into bytes: inout [UInt8]) {
        switch content {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .number(let text): bytes += text.utf8
        case .string(let text): Self.write(text, into: &bytes)
        case .array(let nodes):
            bytes.append(UInt8(ascii: "["))
            for (index, node) in nodes.enumerated() {
                if index > 0 { bytes += ", ".utf8 }
                node.write(into: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { bytes += ", ".utf8 }
                Self.write(member.key, into: &bytes)
                bytes += ": ".utf8
                member.value.write(into: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    private static func write(_ text: String, into bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        if text.utf8.allSatisfy(isPlain) {
            bytes += text.utf8
            bytes.append(UInt8(ascii: "\""))
            return
        }
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": bytes += "\\\"".utf8
            case "\\": bytes += "\\\\".utf8
            case "\n": bytes += "\\n".utf8
            case "\r": bytes += "\\r".utf8
            case "\t": bytes += "\\t".utf8
            case _ where isEscaped(scalar):
                let digits = String(scalar.value, radix: 16)
                bytes += "\\u".utf8
                bytes += repeatElement(UInt8(ascii: "0"), count: max(0, 4 - digits.utf8.count))
                bytes += digits.utf8
            default: bytes += String(scalar).utf8
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Returns `true` for an ASCII character that needs no escaping.
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    private static func isEscaped(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
