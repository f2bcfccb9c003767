import CSwitchboardDBus

/// A message from another program, completely read.
package struct DBusMessage: Sendable {
    /// The kind of a message.
    package enum Kind: Sendable {
        case call
        case reply
        case error
        case signal
    }

    /// The kind.
    package let kind: Kind
    /// The unique name of the sender, such as `:1.42`; empty if unknown.
    package let sender: String
    /// The path of the object.
    package let path: String
    /// The interface; empty if the sender gave none.
    package let interface: String
    /// The name of the method or signal.
    package let member: String
    /// The signature of the arguments.
    package let signature: String
    /// The arguments.
    package let arguments: [DBusValue]
    /// The call to reply to; nil for other messages.
    package let call: DBusCall?
}

/// A call that was not replied to yet.
package struct DBusCall: Sendable, Hashable {
    let number: UInt64
}

/// A value of the D-Bus type system (D-Bus Specification, "Type System").
package indirect enum DBusValue: Sendable, Hashable {
    case byte(UInt8)
    case bool(Bool)
    case int16(Int16)
    case uint16(UInt16)
    case int32(Int32)
    case uint32(UInt32)
    case int64(Int64)
    case uint64(UInt64)
    case double(Double)
    /// A text, which ends at its first NUL when it is sent.
    case string(String)
    case objectPath(String)
    case signature(String)
    /// An array of bytes.
    case bytes([UInt8])
    /// An array of values of one type, given by its signature.
    case array([DBusValue], of: String)
    case structure([DBusValue])
    /// An entry of a dictionary, which is an array of entries.
    case entry(DBusValue, DBusValue)
    case variant(DBusValue)

    /// Returns an array of strings.
    package static func strings(_ texts: [String]) -> DBusValue { .array(texts.map { .string($0) }, of: "s") }

    /// Returns a dictionary from strings to variants, sorted by key.
    package static func dictionary(_ values: [String: DBusValue]) -> DBusValue {
        let entries = values.sorted { $0.key < $1.key }.map { DBusValue.entry(.string($0.key), .variant($0.value)) }
        return .array(entries, of: "{sv}")
    }

    /// The signature of the type.
    package var signature: String {
        switch self {
        case .byte: "y"
        case .bool: "b"
        case .int16: "n"
        case .uint16: "q"
        case .int32: "i"
        case .uint32: "u"
        case .int64: "x"
        case .uint64: "t"
        case .double: "d"
        case .string: "s"
        case .objectPath: "o"
        case .signature: "g"
        case .bytes: "ay"
        case .array(_, let element): "a" + element
        case .structure(let members): "(" + members.map(\.signature).joined() + ")"
        case .entry(let key, let value): "{" + key.signature + value.signature + "}"
        case .variant: "v"
        }
    }
}

extension DBusValue {
    /// The text of a string or object path.
    package var text: String? {
        switch self {
        case .string(let text), .objectPath(let text): text
        default: nil
        }
    }

    /// The number of an unsigned 32-bit integer.
    package var number: UInt32? { if case .uint32(let number) = self { number } else { nil } }

    /// The texts of an array of strings.
    package var texts: [String]? {
        guard case .array(let values, "s") = self else { return nil }
        return values.compactMap(\.text)
    }

    /// The values of a dictionary from strings to variants.
    package var members: [String: DBusValue]? {
        guard case .array(let entries, "{sv}") = self else { return nil }
        var members: [String: DBusValue] = [:]
        for case .entry(.string(let key), .variant(let value)) in entries { members[key] = value }
        return members
    }
}

// Each `unsafe` below is safe for the same reasons: the caller keeps the message alive, a text or array that is read belongs
// to the message and is copied at once, and sd-bus has checked that it ends with NUL or is as long as stated. What is
// appended is copied before the call returns.

/// A message of sd-bus, which is released at the end.
// Safe: the class owns a reference to the message, and nothing else can use it.
@safe final class Message {
    let message: OpaquePointer

    /// Takes over a reference to a message; nil for null.
    init?(owning message: OpaquePointer?) {
        guard let message = unsafe message else { return nil }
        unsafe self.message = message
    }

    deinit { unsafe sb_message_release(message) }
}

// MARK: - Reading

extension Message {
    /// Reads the values up to the end of the message or container.
    ///
    /// - Throws: `DBusError` for an unsupported type, such as a file descriptor.
    func values() throws(DBusError) -> [DBusValue] {
        var values: [DBusValue] = []
        while let value = try next() { values.append(value) }
        return values
    }

    private func next() throws(DBusError) -> DBusValue? {
        var type: CChar = 0
        var contents: UnsafePointer<CChar>?
        guard try check(unsafe sb_message_peek(message, &type, &contents)) else { return nil }
        switch UInt8(bitPattern: type) {
        case UInt8(ascii: "y"): return .byte(try number(type))
        case UInt8(ascii: "b"):
            let flag: Int32 = try number(type)
            return .bool(flag != 0)
        case UInt8(ascii: "n"): return .int16(try number(type))
        case UInt8(ascii: "q"): return .uint16(try number(type))
        case UInt8(ascii: "i"): return .int32(try number(type))
        case UInt8(ascii: "u"): return .uint32(try number(type))
        case UInt8(ascii: "x"): return .int64(try number(type))
        case UInt8(ascii: "t"): return .uint64(try number(type))
        case UInt8(ascii: "d"): return .double(try number(type))
        case UInt8(ascii: "s"): return .string(try text(type))
        case UInt8(ascii: "o"): return .objectPath(try text(type))
        case UInt8(ascii: "g"): return .signature(try text(type))
        case UInt8(ascii: "a"):
            let element = unsafe contents.map { unsafe String(cString: $0) } ?? ""
            if element == "y" { return .bytes(try bytes()) }
            return .array(try container(type, element), of: element)
        case UInt8(ascii: "r"):
            return .structure(try container(type, unsafe contents.map { unsafe String(cString: $0) } ?? ""))
        case UInt8(ascii: "e"):
            let parts = try container(type, unsafe contents.map { unsafe String(cString: $0) } ?? "")
            guard parts.count == 2 else { throw unsupported }
            return .entry(parts[0], parts[1])
        case UInt8(ascii: "v"):
            let parts = try container(type, unsafe contents.map { unsafe String(cString: $0) } ?? "")
            guard let value = parts.first else { throw unsupported }
            return .variant(value)
        default: throw unsupported
        }
    }

    private func container(_ type: CChar, _ contents: String) throws(DBusError) -> [DBusValue] {
        _ = try check(unsafe sb_message_enter(message, type, contents))
        let values = try values()
        _ = try check(unsafe sb_message_exit(message))
        return values
    }

    private func number<Number: BitwiseCopyable & ExpressibleByIntegerLiteral>(
        _ type: CChar
    ) throws(DBusError) -> Number {
        var number: Number = 0
        // Safe: the caller's type has the size of the D-Bus type.
        _ = try check(unsafe sb_message_read(message, type, &number))
        return number
    }

    private func text(_ type: CChar) throws(DBusError) -> String {
        var text: UnsafePointer<CChar>?
        _ = try check(unsafe sb_message_read(message, type, &text))
        return unsafe text.map { unsafe String(cString: $0) } ?? ""
    }

    private func bytes() throws(DBusError) -> [UInt8] {
        var start: UnsafePointer<UInt8>?
        var count = 0
        _ = try check(unsafe sb_message_read_bytes(message, &start, &count))
        return unsafe Array(UnsafeBufferPointer(start: start, count: count))
    }

    private var unsupported: DBusError {
        DBusError(name: DBusConnection.invalidArguments, text: "an argument has an unsupported type")
    }
}

// MARK: - Writing

extension Message {
    func append(_ values: [DBusValue]) throws(DBusError) {
        for value in values { try append(value) }
    }

    private func append(_ value: DBusValue) throws(DBusError) {
        switch value {
        case .byte(let number): try append("y", number)
        case .bool(let flag): try append("b", Int32(flag ? 1 : 0))
        case .int16(let number): try append("n", number)
        case .uint16(let number): try append("q", number)
        case .int32(let number): try append("i", number)
        case .uint32(let number): try append("u", number)
        case .int64(let number): try append("x", number)
        case .uint64(let number): try append("t", number)
        case .double(let number): try append("d", number)
        case .string(let text): try append("s", text)
        case .objectPath(let text): try append("o", text)
        case .signature(let text): try append("g", text)
        case .bytes(let bytes): _ = try check(unsafe sb_message_append_bytes(message, bytes, bytes.count))
        case .array(let values, let element): try append("a", element, values)
        case .structure(let members): try append("r", members.map(\.signature).joined(), members)
        case .entry(let key, let value): try append("e", key.signature + value.signature, [key, value])
        case .variant(let value): try append("v", value.signature, [value])
        }
    }

    private func append(_ type: Unicode.Scalar, _ number: some BitwiseCopyable) throws(DBusError) {
        var number = number
        _ = try check(unsafe sb_message_append(message, CChar(type.value), &number))
    }

    private func append(_ type: Unicode.Scalar, _ text: String) throws(DBusError) {
        let code = unsafe text.withCString { unsafe sb_message_append(message, CChar(type.value), $0) }
        _ = try check(code)
    }

    private func append(_ type: Unicode.Scalar, _ contents: String, _ values: [DBusValue]) throws(DBusError) {
        _ = try check(unsafe sb_message_open(message, CChar(type.value), contents))
        try append(values)
        _ = try check(unsafe sb_message_close(message))
    }
}

extension Message {
    var kind: DBusMessage.Kind {
        // Safe: the message is alive.
        switch unsafe sb_message_type_of(message) {
        case SB_MESSAGE_CALL: .call
        case SB_MESSAGE_RETURN: .reply
        case SB_MESSAGE_ERROR: .error
        default: .signal
        }
    }

    /// Returns the parts and arguments of a received message.
    func received(as call: DBusCall?) throws(DBusError) -> DBusMessage {
        // Safe: the texts belong to the message, end with NUL, and are copied at once.
        func text(_ part: UnsafePointer<CChar>?) -> String { unsafe part.map { unsafe String(cString: $0) } ?? "" }
        return DBusMessage(
            kind: kind, sender: unsafe text(sb_message_sender(message)), path: unsafe text(sb_message_path(message)),
            interface: unsafe text(sb_message_interface(message)), member: unsafe text(sb_message_member(message)),
            signature: unsafe text(sb_message_signature(message)), arguments: try values(), call: call)
    }
}
