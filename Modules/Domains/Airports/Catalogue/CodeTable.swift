/// Finds the record of a three-letter code at once: a table with a place for every code there can be.
///
/// Codes are three Latin letters or digits, so 36³ places of two bytes (91 KiB) hold them all; looking one up is one
/// read. Of records with the same code the first counts.
struct CodeTable: Sendable {
    private static let base = 36
    private static let none = UInt16.max
    private var records: [UInt16]

    /// A table of `count` records, whose code `code` gives; what is no code, or past 65,535 records, is left out.
    init(count: Int, code: (Int) -> Cell) {
        records = Array(repeating: Self.none, count: Self.base * Self.base * Self.base)
        for record in 0..<min(count, Int(Self.none)) {
            guard let place = code(record).withBytes(Self.place) else { continue }
            if records[place] == Self.none { records[place] = UInt16(record) }
        }
    }

    /// The record of a code in any case.
    subscript(code: String) -> Int? {
        var code = code
        guard let place = code.withUTF8(Self.place), records[place] != Self.none else { return nil }
        return Int(records[place])
    }

    private static func place(of code: UnsafeBufferPointer<UInt8>) -> Int? {
        guard code.count == 3 else { return nil }
        var place = 0
        for byte in code {
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit = byte - UInt8(ascii: "A")
            case UInt8(ascii: "a")...UInt8(ascii: "z"): digit = byte - UInt8(ascii: "a")
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0") + 26
            default: return nil
            }
            place = place * base + Int(digit)
        }
        return place
    }
}
