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

// Each `unsafe` is safe because `base` has room for `capacity` bytes, the first `count` of which are initialized, and
// because only this buffer, which cannot be copied, has the pointer.

/// A buffer for JSON text that is being written.
///
/// It is not an array, because each append to an array checks whether the array is shared, which doubles the time for a
/// member.
@safe struct JSONBuffer: ~Copyable {
    private var base: UnsafeMutablePointer<UInt8>?
    private var capacity: Int
    private(set) var count = 0

    /// Creates an empty buffer with room for `capacity` bytes.
    init(capacity: Int = 0) {
        self.capacity = capacity
        unsafe base = capacity > 0 ? .allocate(capacity: capacity) : nil
    }

    deinit { unsafe base?.deallocate() }

    var isEmpty: Bool { count == 0 }

    /// A copy of the bytes.
    var array: [UInt8] { unsafe Array(UnsafeBufferPointer(start: base, count: count)) }

    // MARK: - Bytes

    /// Makes room for `more` bytes.
    @inline(__always)
    private mutating func reserve(_ more: Int) {
        if capacity - count < more { grow(more) }
    }

    @inline(never)
    private mutating func grow(_ more: Int) {
        let larger = max(capacity * 2, count + more, 64)
        let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        if let base = unsafe base {
            unsafe moved.update(from: base, count: count)
            unsafe base.deallocate()
        }
        unsafe base = moved
        capacity = larger
    }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        reserve(1)
        unsafe base?[count] = byte
        count += 1
    }

    @inline(__always)
    mutating func append(_ first: UInt8, _ second: UInt8) {
        reserve(2)
        unsafe base?[count] = first
        unsafe base?[count + 1] = second
        count += 2
    }

    @unsafe @inline(__always)
    private mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return }
        reserve(bytes.count)
        unsafe base.map { unsafe ($0 + count).update(from: start, count: bytes.count) }
        count += bytes.count
    }

    /// Appends text that needs no quotation marks.
    mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { unsafe append($0) }
    }

    /// Appends JSON.
    mutating func append(_ text: StaticString) {
        unsafe append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends JSON.
    mutating func append(_ bytes: [UInt8]) { unsafe bytes.withUnsafeBufferPointer { unsafe append($0) } }

    // MARK: - Values

    mutating func append(json number: Int) {
        // Most numbers in lists are counts and positions.
        if 0..<10 ~= number {
            append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number))
        } else {
            append(number.description)
        }
    }

    mutating func append(json value: Bool) { if value { append("true") } else { append("false") } }

    mutating func append(json value: some BinaryFloatingPoint & CustomStringConvertible) {
        if value.isFinite { append(value.description) } else { append("null") }
    }

    mutating func append(json text: String) {
        let isPlain = unsafe text.utf8.withContiguousStorageIfAvailable { unsafe appendPlain($0, inASCII: false) }
        if isPlain != true { escape(text) }
    }

    /// Appends UTF-8 text. Malformed bytes are replaced.
    mutating func append(json text: ArraySlice<UInt8>) {
        let isPlain = unsafe text.withUnsafeBufferPointer { unsafe appendPlain($0, inASCII: true) }
        if !isPlain { append(json: String(decoding: text, as: UTF8.self)) }
    }

    /// Appends text in quotation marks if no byte may need escaping and, if `inASCII`, every byte is ASCII. Returns
    /// `false` otherwise.
    @unsafe @inline(__always)
    private mutating func appendPlain(_ text: UnsafeBufferPointer<UInt8>, inASCII: Bool) -> Bool {
        reserve(text.count + 2)
        guard let end = unsafe base.map({ unsafe $0 + count }) else { return false }
        if let start = text.baseAddress, unsafe !Self.copyPlainASCII(start, text.count, to: end + 1) {
            guard !inASCII, unsafe text.allSatisfy({ Self.isPlain($0) }) else { return false }
            unsafe (end + 1).update(from: start, count: text.count)
        }
        unsafe end[0] = UInt8(ascii: "\"")
        unsafe end[text.count + 1] = UInt8(ascii: "\"")
        count += text.count + 2
        return true
    }

    /// Copies bytes if all are ASCII and need no escaping. Returns `false` at the first byte that is not.
    @unsafe @inline(__always)
    private static func copyPlainASCII(
        _ source: UnsafePointer<UInt8>, _ count: Int, to target: UnsafeMutablePointer<UInt8>
    ) -> Bool {
        let (source, target) = unsafe (UnsafeRawPointer(source), UnsafeMutableRawPointer(target))
        if count >= 8 {
            var offset = 0
            while true {
                let bytes = unsafe source.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                guard Self.isPlainASCII(bytes) else { return false }
                unsafe target.storeBytes(of: bytes, toByteOffset: offset, as: UInt64.self)
                if offset == count - 8 { return true }
                // The last eight bytes may overlap the preceding ones.
                offset = min(offset + 8, count - 8)
            }
        }
        if count >= 4 {
            let first = unsafe source.loadUnaligned(as: UInt32.self)
            let last = unsafe source.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
            unsafe target.storeBytes(of: first, as: UInt32.self)
            unsafe target.storeBytes(of: last, toByteOffset: count - 4, as: UInt32.self)
            return isPlainASCII(UInt64(first) << 32 | UInt64(last))
        }
        for offset in 0..<count {
            let byte = unsafe source.load(fromByteOffset: offset, as: UInt8.self)
            guard byte < 0x80, isPlain(byte) else { return false }
            unsafe target.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
        }
        return true
    }

    private mutating func escape(_ text: String) {
        append(UInt8(ascii: "\""))
        for scalar in text.unicodeScalars { append(escaped: scalar) }
        append(UInt8(ascii: "\""))
    }

    private mutating func append(escaped scalar: Unicode.Scalar) {
        switch scalar {
        case "\"": append("\\\"")
        case "\\": append("\\\\")
        case "\n": append("\\n")
        case "\r": append("\\r")
        case "\t": append("\\t")
        case _ where Self.isEscaped(scalar):
            let digits = String(scalar.value, radix: 16)
            append("\\u" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits)
        default: append(String(scalar))
        }
    }

    /// Returns `true` if eight bytes are ASCII that needs no escaping.
    private static func isPlainASCII(_ bytes: UInt64) -> Bool {
        let (ones, highBits): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
        // A high bit is set if and only if at least one byte is below the bound.
        func areBelow(_ bytes: UInt64, _ bound: UInt64) -> UInt64 { (bytes &- ones &* bound) & ~bytes }
        let quotes = areBelow(bytes ^ ones &* 0x22, 1)
        let backslashes = areBelow(bytes ^ ones &* 0x5C, 1)
        let deletions = areBelow(bytes ^ ones &* 0x7F, 1)
        return (bytes | areBelow(bytes, 0x20) | quotes | backslashes | deletions) & highBits == 0
    }

    /// Returns `true` for a byte of a character that certainly needs no escaping. The characters beyond ASCII that may
    /// need it begin with C2 or E2.
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

/// The encoder that a value writes itself to. Its containers begin at `depth`.
struct JSONWriterEncoder: Encoder, SingleValueEncodingContainer {
    let writer: JSONWriter
    let depth: Int
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(JSONObjectContainer(writer: writer, depth: depth))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { JSONArrayContainer(writer: writer, depth: depth) }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    /// Begins a member of the object that was opened at this encoder's depth, and returns the encoder of its value.
    func member(_ name: String) -> JSONWriterEncoder {
        writer.beginMember(name, depth: depth)
        return JSONWriterEncoder(writer: writer, depth: depth + 1)
    }

    func encodeNil() { writer.writeNull() }
    func encode(_ value: Bool) { writer.write(value) }
    func encode(_ value: String) { writer.write(value) }
    func encode(_ value: some Encodable & BinaryFloatingPoint & CustomStringConvertible) { writer.write(value) }
    func encode(_ value: some Encodable & BinaryInteger) { writer.write(value) }
    func encode<T: Encodable>(_ value: T) throws { try value.encode(to: self) }
}

private struct JSONObjectContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    private let writer: JSONWriter
    private let depth: Int
    var codingPath: [any CodingKey] { [] }

    init(writer: JSONWriter, depth: Int) {
        (self.writer, self.depth) = (writer, depth)
        writer.open(isObject: true, depth: depth)
    }

    private func member(_ name: String) -> JSONWriterEncoder {
        JSONWriterEncoder(writer: writer, depth: depth).member(name)
    }

    func encodeNil(forKey key: Key) { member(key.stringValue).encodeNil() }
    func encode(_ value: Bool, forKey key: Key) { member(key.stringValue).encode(value) }
    func encode(_ value: String, forKey key: Key) { member(key.stringValue).encode(value) }
    func encode(_ value: Double, forKey key: Key) { member(key.stringValue).encode(value) }
    func encode(_ value: Int, forKey key: Key) { member(key.stringValue).encode(value) }
    func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try member(key.stringValue).encode(value) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy keyType: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> { member(key.stringValue).container(keyedBy: keyType) }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        member(key.stringValue).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { member("super") }
    func superEncoder(forKey key: Key) -> any Encoder { member(key.stringValue) }
}

private struct JSONArrayContainer: UnkeyedEncodingContainer {
    private let writer: JSONWriter
    private let depth: Int
    private(set) var count = 0
    var codingPath: [any CodingKey] { [] }

    init(writer: JSONWriter, depth: Int) {
        (self.writer, self.depth) = (writer, depth)
        writer.open(isObject: false, depth: depth)
    }

    private mutating func element() -> JSONWriterEncoder {
        writer.beginElement(depth: depth)
        count += 1
        return JSONWriterEncoder(writer: writer, depth: depth + 1)
    }

    mutating func encodeNil() { element().encodeNil() }
    mutating func encode<T: Encodable>(_ value: T) throws { try element().encode(value) }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy keyType: Nested.Type) -> KeyedEncodingContainer<Nested> {
        element().container(keyedBy: keyType)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { element().unkeyedContainer() }
    mutating func superEncoder() -> any Encoder { element() }
}

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
