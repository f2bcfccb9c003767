import CSwitchboardDBus

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

/// Throws for a negative code; returns `true` for a positive one.
@discardableResult
func check(_ code: Int32) throws(DBusError) -> Bool {
    if code < 0 { throw DBusError(code: code) }
    return code > 0
}
