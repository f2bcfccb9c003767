/// A writer of JSON text that the containers of one encoder share.
///
/// Each method is one access to the text: the checks for exclusive access cost more than writing a short value.
final class JSONWriter {
    private var text = JSONText()

    /// Closes all containers and returns the text. A value that encoded nothing is null.
    func finish() -> [UInt8] { text.finish() }

    /// Opens a container at a depth, unless an object that is open there goes on.
    func open(isObject: Bool, depth: Int) { text.open(isObject: isObject, depth: depth) }

    /// Writes the separator and the name of the next member of the object that was opened at a depth.
    func beginMember(_ name: String, depth: Int) { text.beginMember(name, depth: depth) }

    /// Writes a member of the object that was opened at a depth.
    func writeMember(_ name: String, _ value: String, depth: Int) {
        text.beginMember(name, depth: depth)
        text.write(value)
    }

    /// Writes the separator before the next element of the container that was opened at a depth.
    func beginElement(depth: Int) { text.beginElement(depth: depth) }

    func writeNull() { text.writeNull() }
    func write(_ value: Bool) { text.write(value) }
    func write(_ value: String) { text.write(value) }
    func write(_ value: some BinaryFloatingPoint & CustomStringConvertible) { text.write(value) }
    func write(_ value: some BinaryInteger) { text.write(number: value) }
}

/// JSON text with a stack of open containers.
///
/// A container is identified by its depth. Writing to a container first closes all containers below it, because an
/// encoding value does not announce the end of a container.
private struct JSONText {
    private struct Container {
        let isObject: Bool
        var isEmpty = true
    }

    private var bytes: [UInt8] = []
    private var open: [Container] = []
    /// Indicates that a member or element was begun, and its value is missing.
    private var needsValue = false

    init() { bytes.reserveCapacity(8192) }

    mutating func finish() -> [UInt8] {
        close(downTo: 0)
        if bytes.isEmpty { writeNull() }
        return bytes
    }

    mutating func open(isObject: Bool, depth: Int) {
        if open.count > depth {
            close(downTo: depth + 1)
            if isObject && open[depth].isObject { return }
            close(downTo: depth)
        }
        open.append(Container(isObject: isObject))
        needsValue = false
        bytes.append(isObject ? UInt8(ascii: "{") : UInt8(ascii: "["))
    }

    mutating func beginMember(_ name: String, depth: Int) {
        beginElement(depth: depth)
        write(name)
        bytes.append(UInt8(ascii: ":"))
        bytes.append(UInt8(ascii: " "))
        needsValue = true
    }

    mutating func beginElement(depth: Int) {
        close(downTo: depth + 1)
        guard depth < open.count else { return }
        if !open[depth].isEmpty {
            bytes.append(UInt8(ascii: ","))
            bytes.append(UInt8(ascii: " "))
        }
        open[depth].isEmpty = false
        needsValue = true
    }

    private mutating func close(downTo depth: Int) {
        if needsValue { writeNull() }
        while open.count > depth, let last = open.popLast() {
            bytes.append(last.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
        }
    }

    // MARK: - Values

    mutating func writeNull() {
        bytes += "null".utf8
        needsValue = false
    }

    mutating func write(_ value: Bool) {
        bytes += (value ? "true" : "false").utf8
        needsValue = false
    }

    mutating func write(_ value: some BinaryFloatingPoint & CustomStringConvertible) {
        if value.isFinite { write(number: value) } else { writeNull() }
    }

    mutating func write(number: some CustomStringConvertible) {
        bytes += number.description.utf8
        needsValue = false
    }

    mutating func write(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        let start = bytes.count
        bytes += text.utf8
        if !bytes[start...].allSatisfy(Self.isPlain) { escape(text, at: start) }
        bytes.append(UInt8(ascii: "\""))
        needsValue = false
    }

    /// Replaces a text that was written unescaped.
    private mutating func escape(_ text: String, at start: Int) {
        guard text.unicodeScalars.contains(where: { $0 == "\"" || $0 == "\\" || Self.isEscaped($0) }) else { return }
        bytes.removeSubrange(start...)
        for scalar in text.unicodeScalars { write(scalar) }
    }

    private mutating func write(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "\"": bytes += "\\\"".utf8
        case "\\": bytes += "\\\\".utf8
        case "\n": bytes += "\\n".utf8
        case "\r": bytes += "\\r".utf8
        case "\t": bytes += "\\t".utf8
        case _ where Self.isEscaped(scalar):
            let digits = String(scalar.value, radix: 16)
            bytes += "\\u".utf8
            bytes += repeatElement(UInt8(ascii: "0"), count: max(0, 4 - digits.utf8.count))
            bytes += digits.utf8
        default: bytes += String(scalar).utf8
        }
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
