/// The writer of JSON text that is shared by the containers of an encoder.
final class JSONWriter {
    private var text: JSONText

    /// Creates a writer that reserves memory for `capacity` bytes.
    init(capacity: Int) { text = JSONText(capacity: capacity) }

    /// Closes all containers and returns the text. A value that encoded nothing becomes null.
    func finish() -> [UInt8] { text.finish() }

    /// Opens a container at a depth, unless it continues an object that is already open there.
    func open(isObject: Bool, depth: Int) { text.open(isObject: isObject, depth: depth) }

    /// Writes the separator and the name of the next member of the object that was opened at a depth.
    func beginMember(_ name: String, depth: Int) { text.beginMember(name, depth: depth) }

    /// Writes the separator before the next element of the container that was opened at a depth.
    func beginElement(depth: Int) { text.beginElement(depth: depth) }

    /// Encodes an object that was opened at a depth.
    func encodeMembers(of object: some JSONObjectEncodable, depth: Int) throws {
        // The text is handed over, because each access through this class costs more than writing a short value.
        var members = text.beginMembers(depth: depth)
        try object.encode(to: &members)
        text.endMembers(&members, depth: depth)
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
private struct JSONText: ~Copyable {
    private struct Container {
        let isObject: Bool
        var isEmpty = true
    }

    private var bytes: JSONBuffer
    private var open: [Container] = []
    /// Indicates that a member or element was begun, and its value is missing.
    private var needsValue = false

    init(capacity: Int) { bytes = JSONBuffer(capacity: capacity) }

    mutating func finish() -> [UInt8] {
        close(downTo: 0)
        if bytes.isEmpty { writeNull() }
        return bytes.array
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
        bytes.append(UInt8(ascii: ":"), UInt8(ascii: " "))
        needsValue = true
    }

    mutating func beginElement(depth: Int) {
        close(downTo: depth + 1)
        guard depth < open.count else { return }
        if !open[depth].isEmpty { bytes.append(UInt8(ascii: ","), UInt8(ascii: " ")) }
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
        bytes.append("null")
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
        bytes.append(number.description)
        needsValue = false
    }

    mutating func write(_ text: String) {
        bytes.append(json: text)
        needsValue = false
    }

    // MARK: - Members

    /// Opens the object at a depth, unless it is open, and hands over the text for its members.
    mutating func beginMembers(depth: Int) -> JSONMembers {
        open(isObject: true, depth: depth)
        var members = JSONMembers(isEmpty: open[depth].isEmpty)
        swap(&bytes, &members.bytes)
        return members
    }

    /// Takes the text back.
    mutating func endMembers(_ members: inout JSONMembers, depth: Int) {
        open[depth].isEmpty = members.isEmpty
        swap(&bytes, &members.bytes)
    }
}
