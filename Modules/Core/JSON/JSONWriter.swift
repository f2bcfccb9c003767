/// A writer of JSON text that the containers of one encoder share.
final class JSONWriter {
    private var text: JSONText

    /// Creates a writer that reserves memory for some bytes.
    init(capacity: Int) { text = JSONText(capacity: capacity) }

    /// Closes all containers and returns the text. A value that encoded nothing is null.
    func finish() -> [UInt8] { text.finish() }

    /// Opens a container at a depth, unless an object that is open there goes on.
    func open(isObject: Bool, depth: Int) { text.open(isObject: isObject, depth: depth) }

    /// Writes the separator and the name of the next member of the object that was opened at a depth.
    func beginMember(_ name: String, depth: Int) { text.beginMember(name, depth: depth) }

    /// Writes the separator before the next element of the container that was opened at a depth.
    func beginElement(depth: Int) { text.beginElement(depth: depth) }

    /// Encodes an object that was opened at a depth.
    func encodeMembers(of object: some JSONObjectEncodable, depth: Int) throws {
        // The text is handed over: each access of this class to it costs more than writing a short value.
        var members = text.beginMembers(depth: depth)
        try object.encode(to: &members)
        text.endMembers(members, depth: depth)
    }

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

    init(capacity: Int) { bytes.reserveCapacity(capacity) }

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
        bytes.append(json: value)
        needsValue = false
    }

    mutating func write(_ value: some BinaryFloatingPoint & CustomStringConvertible) {
        bytes.append(json: value)
        needsValue = false
    }

    mutating func write(number: some CustomStringConvertible) {
        bytes += number.description.utf8
        needsValue = false
    }

    mutating func write(_ text: String) {
        bytes.append(json: text)
        needsValue = false
    }

    // MARK: - Members

    /// Opens the object at a depth, unless it is open, and hands the text over for its members.
    mutating func beginMembers(depth: Int) -> JSONMembers {
        open(isObject: true, depth: depth)
        let members = JSONMembers(bytes, isEmpty: open[depth].isEmpty)
        bytes = []
        return members
    }

    /// Takes the text back.
    mutating func endMembers(_ members: consuming JSONMembers, depth: Int) {
        open[depth].isEmpty = members.isEmpty
        bytes = members.bytes
    }
}

// Values of JSON text.
extension [UInt8] {
    mutating func append(json value: Bool) { self += (value ? "true" : "false").utf8 }

    mutating func append(json value: some BinaryFloatingPoint & CustomStringConvertible) {
        self += (value.isFinite ? value.description : "null").utf8
    }

    mutating func append(json text: String) {
        append(UInt8(ascii: "\""))
        let start = count
        self += text.utf8
        // A slice would count references.
        var position = start
        while position < count, Self.isPlain(self[position]) { position += 1 }
        if position < count { escape(text, at: start) }
        append(UInt8(ascii: "\""))
    }

    /// Appends UTF-8 text. Malformed bytes are replaced.
    mutating func append(json text: ArraySlice<UInt8>) {
        guard text.allSatisfy({ $0 < 0x80 && Self.isPlain($0) }) else {
            return append(json: String(decoding: text, as: UTF8.self))
        }
        append(UInt8(ascii: "\""))
        self += text
        append(UInt8(ascii: "\""))
    }

    /// Replaces a text that was written unescaped.
    private mutating func escape(_ text: String, at start: Int) {
        guard text.unicodeScalars.contains(where: { $0 == "\"" || $0 == "\\" || Self.isEscaped($0) }) else { return }
        removeSubrange(start...)
        for scalar in text.unicodeScalars { append(escaped: scalar) }
    }

    private mutating func append(escaped scalar: Unicode.Scalar) {
        switch scalar {
        case "\"": self += "\\\"".utf8
        case "\\": self += "\\\\".utf8
        case "\n": self += "\\n".utf8
        case "\r": self += "\\r".utf8
        case "\t": self += "\\t".utf8
        case _ where Self.isEscaped(scalar):
            let digits = String(scalar.value, radix: 16)
            self += "\\u".utf8
            self += repeatElement(UInt8(ascii: "0"), count: Swift.max(0, 4 - digits.utf8.count))
            self += digits.utf8
        default: self += String(scalar).utf8
        }
    }

    /// Returns `true` for a byte of a character that certainly needs no escaping. C2 and E2 begin those beyond ASCII that
    /// may.
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") && byte != 0x7F && byte != 0xC2
            && byte != 0xE2
    }

    private static func isEscaped(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
