// Each `unsafe` is safe because the three bytes, as counted, are only read within the closure.

/// A direct-address table from three-letter codes to records.
///
/// Codes consist of three Latin letters or digits, so 36³ entries of two bytes (91 KiB) cover all of them, and a lookup
/// is one read. The first of several records with the same code wins.
struct CodeTable: Sendable {
    private static let base = 36
    private static let empty = UInt16.max
    private var records: [UInt16]

    /// Creates a table of `count` records. Invalid codes, and records past 65,535, are skipped.
    init(count: Int, code: (Int) -> Cell) {
        records = Array(repeating: Self.empty, count: Self.base * Self.base * Self.base)
        for record in 0..<min(count, Int(Self.empty)) {
            guard let index = unsafe code(record).withBytes(Self.index) else { continue }
            if records[index] == Self.empty { records[index] = UInt16(record) }
        }
    }

    subscript(code: String) -> Int? {
        var code = code
        guard let index = unsafe code.withUTF8(Self.index), records[index] != Self.empty else { return nil }
        return Int(records[index])
    }

    private static func index(of code: UnsafeBufferPointer<UInt8>) -> Int? {
        guard code.count == 3 else { return nil }
        var index = 0
        for position in 0..<3 {
            let byte = unsafe code[position]
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit = byte - UInt8(ascii: "A")
            case UInt8(ascii: "a")...UInt8(ascii: "z"): digit = byte - UInt8(ascii: "a")
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0") + 26
            default: return nil
            }
            index = index * base + Int(digit)
        }
        return index
    }
}
