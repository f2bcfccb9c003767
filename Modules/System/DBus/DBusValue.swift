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
