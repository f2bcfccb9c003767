import Foundation
import SwitchboardAlgorithms
import SwitchboardStorage

/// The binary encoding of an item's attributes in the column `item.attributes`. Single attributes are read without
/// decoding the others.
///
/// Format: the version, then for each attribute its raw value (or 0 and the key of a custom attribute), the length of
/// its values, and the values. A value is its kind (0 text, 1 number, 2 date, 3 false, 4 true, 5 data, 6 person) and
/// its bytes: eight for a number or a date (seconds since 2001), little-endian; a length and the bytes for all others;
/// none for flags. Lengths are LEB128.
enum AttributeCoder {
    static let version: UInt8 = 1

    // MARK: - Writing

    static func encoded(_ attributes: SearchableItemAttributeSet, without omitted: Attribute? = nil) -> [UInt8] {
        var bytes: [UInt8] = [version]
        bytes.reserveCapacity(256)
        var values: [UInt8] = []
        for entry in attributes.entries where entry.attribute != omitted {
            bytes.append(entry.attribute.rawValue)
            write(entry.values, to: &bytes, using: &values)
        }
        for (key, list) in attributes.custom.sorted(by: { $0.key < $1.key }) {
            bytes.append(0)
            write(key, to: &bytes)
            write(list, to: &bytes, using: &values)
        }
        return bytes
    }

    private static func write(_ list: [AttributeValue], to bytes: inout [UInt8], using values: inout [UInt8]) {
        values.removeAll(keepingCapacity: true)
        for value in list { write(value, to: &values) }
        bytes.append(leb128: UInt64(values.count))
        bytes += values
    }

    private static func write(_ value: AttributeValue, to bytes: inout [UInt8]) {
        switch value {
        case .text(let text):
            bytes.append(0)
            write(text, to: &bytes)
        case .number(let number):
            bytes.append(1)
            bytes.append(littleEndian: number.bitPattern)
        case .date(let date):
            bytes.append(2)
            bytes.append(littleEndian: date.timeIntervalSinceReferenceDate.bitPattern)
        case .flag(let flag): bytes.append(flag ? 4 : 3)
        case .data(let data):
            bytes.append(5)
            bytes.append(leb128: UInt64(data.count))
            bytes += data
        case .person(let person):
            bytes.append(6)
            write(person.name, to: &bytes)
            for list in [person.phones, person.emails] {
                bytes.append(leb128: UInt64(list.count))
                for text in list { write(text, to: &bytes) }
            }
        }
    }

    private static func write(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(leb128: UInt64(text.utf8.count))
        bytes += text.utf8
    }

    // MARK: - Reading

    /// Decodes all attributes, skipping corrupt ones. Accepts any bytes.
    static func decoded(_ bytes: Data) -> SearchableItemAttributeSet {
        var set = SearchableItemAttributeSet()
        forEach(bytes) { attribute, key, values in
            if let attribute {
                set[attribute] = Self.values(values).values
            } else if let key {
                set.custom[key] = Self.values(values).values
            }
            return true
        }
        return set
    }

    /// Returns the values of one attribute, or of a custom one by its key. O(*n*) in the number of attributes.
    static func values(of wanted: Attribute? = nil, custom wantedKey: String? = nil, in bytes: Data) -> [AttributeValue]
    {
        var found: [AttributeValue] = []
        forEach(bytes) { attribute, key, values in
            guard attribute == wanted, key == wantedKey else { return true }
            found = Self.values(values).values
            return false
        }
        return found
    }

    static func isValid(_ bytes: Data) -> Bool {
        var isEach = true
        let isWhole = forEach(bytes) { _, _, values in
            isEach = Self.values(values).isComplete
            return isEach
        }
        return isWhole && isEach
    }

    /// Calls `body` with each attribute, or the key of a custom one, and the bytes of its values, until it returns
    /// `false`.
    ///
    /// - Returns: `true` if no corruption was found.
    @discardableResult
    private static func forEach(_ bytes: Data, _ body: (Attribute?, String?, ArraySlice<UInt8>) -> Bool) -> Bool {
        // Reading array slices takes a fraction of the time of reading data slices.
        var reader = ByteReader(Array(bytes)[...])
        guard reader.byte() == version else { return false }
        while let code = reader.byte() {
            var key: String?
            if code == 0 {
                key = reader.text()
                if key == nil { return false }
            }
            guard let values = reader.bytesWithLength() else { return false }
            let attribute = Attribute(rawValue: code)
            // Skip attributes of newer versions.
            if attribute == nil && key == nil { continue }
            if !body(attribute, key, values) { return true }
        }
        return true
    }

    /// Returns the values before the first corrupt one.
    private static func values(_ bytes: ArraySlice<UInt8>) -> (values: [AttributeValue], isComplete: Bool) {
        var reader = ByteReader(bytes)
        var values: [AttributeValue] = []
        while let kind = reader.byte() {
            let value: AttributeValue? =
                switch kind {
                case 0: reader.text().map { .text($0) }
                case 1: reader.double().map { .number($0) }
                case 2: reader.date().map { .date($0) }
                case 3, 4: .flag(kind == 4)
                case 5: reader.bytesWithLength().map { .data(Data($0)) }
                case 6: reader.person().map { .person($0) }
                default: nil
                }
            guard let value else { return (values, false) }
            values.append(value)
        }
        return (values, true)
    }
}

private struct ByteReader {
    private let bytes: ArraySlice<UInt8>
    private var position: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    mutating func byte() -> UInt8? {
        guard position < bytes.endIndex else { return nil }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func count() -> Int? { bytes.leb128(at: &position).flatMap { Int(exactly: $0) } }

    mutating func bytesWithLength() -> ArraySlice<UInt8>? {
        guard let count = count(), count <= bytes.endIndex - position else { return nil }
        defer { position += count }
        return bytes[position..<position + count]
    }

    mutating func text() -> String? { bytesWithLength().map { String(decoding: $0, as: UTF8.self) } }

    mutating func double() -> Double? {
        bytes.littleEndian(at: &position).map(Double.init(bitPattern:)).flatMap { $0.isFinite ? $0 : nil }
    }

    /// Reads a date that calendars can represent; see `Date.isStorable`.
    mutating func date() -> Date? {
        guard let date = double().map(Date.init(timeIntervalSinceReferenceDate:)), date.isStorable else { return nil }
        return date
    }

    mutating func texts() -> [String]? {
        guard let count = count(), count <= bytes.endIndex - position else { return nil }
        var texts: [String] = []
        for _ in 0..<count {
            guard let text = text() else { return nil }
            texts.append(text)
        }
        return texts
    }

    mutating func person() -> IndexedPerson? {
        guard let name = text(), let phones = texts(), let emails = texts() else { return nil }
        return IndexedPerson(name: name, phones: phones, emails: emails)
    }
}
