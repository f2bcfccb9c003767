import Foundation
import SwitchboardErrors
import SwitchboardJSON

/// A parser of items from JSON: an array, one object, or JSON lines.
///
/// An item is `{"id": "…", "domain": "…", "expiresAt": "…", "isUpdate": false, "title": "…", …, "custom": {…}}`:
/// identifier, domain and expiration beside the attributes. `uniqueIdentifier`, `domainIdentifier`, `expirationDate`
/// and a nested `attributeSet` are accepted as well. Dates are ISO 8601, data is Base64.
///
/// For example:
///
/// ```swift
/// var reader = ItemReader(Array(text.utf8))
/// while let change = try reader.next() { changes.append(change) }
/// ```
public struct ItemReader {
    private var records: JSONRecordReader

    /// Creates a reader of items in memory.
    public init(_ bytes: [UInt8]) {
        var bytes: [UInt8]? = bytes
        self.init { bytes.take() ?? [] }
    }

    /// Creates a reader of a stream. Memory use is bounded by the largest item.
    ///
    /// - Parameter read: Returns the next bytes; empty at the end.
    public init(reading read: @escaping () throws -> [UInt8]) {
        records = JSONRecordReader(of: "an item", upTo: 64 << 20, reading: read)
    }

    /// Returns the next item, or `nil` at the end.
    ///
    /// - Throws: An ``ItemError`` with line and column, and rethrows errors of `read`.
    public mutating func next() throws -> ItemChange? { try nextRecord()?.change() }

    /// Returns the next item unparsed, to be parsed later or on another thread.
    ///
    /// Checks the text between the objects. O(*n*).
    mutating func nextRecord() throws -> JSONRecord? {
        do {
            return try records.next()
        } catch let error as MalformedInput {
            throw ItemError(error)
        }
    }
}

extension ItemError {
    fileprivate init(_ error: MalformedInput) {
        self.init(reason: error.reason, line: error.line, column: error.column)
    }
}

extension JSONRecord {
    /// Parses the object, and returns its members.
    ///
    /// - Parameter expected: The kind of object, for errors.
    func members(of expected: String) throws(ItemError) -> [JSONValue.Member] {
        do throws(MalformedInput) {
            if case .object(let members) = try value() { return members }
        } catch {
            throw ItemError(error)
        }
        throw error("expected \(expected) as a JSON object", offset: 0)
    }

    func error(_ reason: String, item: String? = nil, attribute: String? = nil, offset: Int) -> ItemError {
        let place = place(of: offset)
        return ItemError(reason: reason, item: item, attribute: attribute, line: place.line, column: place.column)
    }

    func change() throws(ItemError) -> ItemChange {
        let members = try members(of: "an item")
        var builder = ItemChangeBuilder()
        do throws(ItemMemberError) {
            try builder.add(members)
            return try builder.change()
        } catch {
            throw self.error(error.reason, item: builder.id, attribute: error.attribute, offset: error.offset)
        }
    }
}

// MARK: - Building items

/// A builder of an item or update from the members of its JSON object.
struct ItemChangeBuilder {
    private(set) var id: String?
    private var domain: String??
    private var expiration: SearchableItem.Expiration?
    private var isUpdate = false
    private var attributes = SearchableItemAttributeSet()
    private var removed: Set<Attribute> = []
    private var removedCustom: Set<String> = []
    /// The offset of `isUpdate`, for the error about a missing identifier.
    private var idOffset = 0

    mutating func add(_ members: [JSONValue.Member]) throws(ItemMemberError) {
        for member in members { try add(member) }
    }

    /// Returns the item or update that the members describe.
    func change() throws(ItemMemberError) -> ItemChange {
        guard isUpdate else {
            return .put(
                SearchableItem(
                    uniqueIdentifier: id, domainIdentifier: domain ?? nil, attributeSet: attributes,
                    expiration: expiration ?? .default))
        }
        guard let id else {
            throw ItemMemberError(
                reason: "an update requires the identifier of the item; add “id”", attribute: "id", offset: idOffset)
        }
        var update = SearchableItemUpdate(uniqueIdentifier: id)
        update.attributeSet = attributes
        update.removed = removed
        update.removedCustom = removedCustom
        update.domainIdentifier = domain
        update.expiration = expiration
        return .update(update)
    }

    private mutating func add(_ member: JSONValue.Member) throws(ItemMemberError) {
        switch member.name {
        case "id", "uniqueIdentifier":
            let text = try member.string()
            guard !text.isEmpty, text.utf8.count <= 1_000 else {
                throw member.error("must have between 1 and 1000 bytes")
            }
            guard id == nil || id == text else { throw member.error("the item has two identifiers; keep one") }
            id = text
        case "domain", "domainIdentifier":
            let text = try member.optionalString() ?? ""
            guard text.utf8.count <= 1_000 else { throw member.error("must have at most 1000 bytes") }
            domain = text.isEmpty ? .some(nil) : text
        case "expiresAt", "expirationDate":
            if case .null = member.value {
                expiration = .never
            } else {
                guard case .string(let text) = member.value, let date = Date(iso8601: text) else {
                    throw member.error(Self.dateHint)
                }
                expiration = .at(date)
            }
        case "isUpdate":
            isUpdate = try member.flag()
            idOffset = member.offset
        case "attributeSet": try add(try member.members())
        case "custom": for member in try member.members() { try addCustom(member) }
        default:
            guard let attribute = Attribute(name: member.name) else {
                throw member.error("unknown attribute; correct the name or move it to “custom”")
            }
            if case .null = member.value {
                removed.insert(attribute)
                attributes[attribute] = []
            } else {
                removed.remove(attribute)
                attributes[attribute] = try attribute.values(of: member)
            }
        }
    }

    static let dateHint = "must be a date such as “2026-11-21” or “2026-11-21T09:00:00Z”"

    // MARK: - Custom attributes

    private mutating func addCustom(_ member: JSONValue.Member) throws(ItemMemberError) {
        func invalid(_ reason: String) -> ItemMemberError {
            ItemMemberError(reason: reason, attribute: "custom.\(member.name)", offset: member.offset)
        }
        guard CustomAttribute.isValid(member.name) else {
            throw invalid(
                "invalid name; use a letter and up to 99 letters, digits, '_' or '-', not a standard attribute")
        }
        func value(_ value: JSONValue) throws(ItemMemberError) -> AttributeValue {
            switch value {
            case .string(let text): return .text(text)
            case .number(let number): return .number(number)
            case .bool(let flag): return .flag(flag)
            case .null, .array, .object:
                throw invalid("must be a string, a number, true or false, or a list of one of these types")
            }
        }
        switch member.value {
        case .null: removedCustom.insert(member.name)
        case .array(let elements):
            var values: [AttributeValue] = []
            for element in elements { values.append(try value(element.value)) }
            guard Set(values.map(CustomAttribute.type)).count <= 1 else {
                throw invalid("the values have different types; use one type")
            }
            attributes.custom[member.name] = values
        default: attributes.custom[member.name] = [try value(member.value)]
        }
    }
}

/// An invalid member of an item, with its offset.
struct ItemMemberError: Error {
    let reason: String
    let attribute: String?
    let offset: Int
}

// MARK: - Members

extension JSONValue.Member {
    func error(_ reason: String, at offset: Int? = nil) -> ItemMemberError {
        ItemMemberError(reason: reason, attribute: name, offset: offset ?? self.offset)
    }

    func string() throws(ItemMemberError) -> String {
        guard case .string(let text) = value else { throw error("must be a string, not \(value.kind)") }
        return text
    }

    func optionalString() throws(ItemMemberError) -> String? {
        if case .null = value { nil } else { try string() }
    }

    func strings() throws(ItemMemberError) -> [String] {
        guard case .array(let elements) = value else { throw error("must be a list of strings, not \(value.kind)") }
        var texts: [String] = []
        for element in elements {
            guard case .string(let text) = element.value else {
                throw error("must be a list of strings", at: element.offset)
            }
            texts.append(text)
        }
        return texts
    }

    func flag() throws(ItemMemberError) -> Bool {
        guard case .bool(let flag) = value else { throw error("must be true or false, not \(value.kind)") }
        return flag
    }

    func members() throws(ItemMemberError) -> [JSONValue.Member] {
        guard case .object(let members) = value else { throw error("must be an object, not \(value.kind)") }
        return members
    }
}

// MARK: - Attribute values

extension Attribute {
    /// Returns the attribute's values from a member. A list attribute also accepts a single value.
    func values(of member: JSONValue.Member) throws(ItemMemberError) -> [AttributeValue] {
        guard case .array(let elements) = member.value else { return [try value(member.value, of: member)] }
        guard isList else { throw member.error("must be \(kind.article), not a list") }
        var values: [AttributeValue] = []
        values.reserveCapacity(elements.count)
        for element in elements { values.append(try value(element.value, of: member, at: element.offset)) }
        return values
    }

    private func value(
        _ value: JSONValue, of member: JSONValue.Member, at offset: Int? = nil
    ) throws(ItemMemberError) -> AttributeValue {
        func invalid(_ reason: String) -> ItemMemberError { member.error(reason, at: offset) }
        switch (kind, value) {
        case (.text, .string(let text)): return .text(text)
        case (.url, .string(let text)):
            guard AttributeValue.isURL(text) else { throw invalid(AttributeValue.urlHint) }
            return .text(text)
        case (.number, .number(let number)):
            if let failure = failure(of: number) { throw invalid(failure) }
            return .number(number)
        case (.date, .string(let text)):
            guard let date = Date(iso8601: text) else { throw invalid(ItemChangeBuilder.dateHint) }
            return .date(date)
        case (.flag, .bool(let flag)): return .flag(flag)
        case (.data, .string(let text)):
            guard let data = Data(base64Encoded: text) else { throw invalid("must be data in Base64") }
            return .data(data)
        case (.person, .string(let name)): return .person(IndexedPerson(name: name))
        case (.person, .object(let parts)): return .person(try Self.person(parts, of: member, at: offset))
        default: throw invalid("must be \(kind.article), not \(value.kind)")
        }
    }

    private static func person(
        _ parts: [JSONValue.Member], of member: JSONValue.Member, at offset: Int?
    ) throws(ItemMemberError) -> IndexedPerson {
        var person = IndexedPerson(name: "")
        for part in parts {
            guard ["name", "phones", "emails"].contains(part.name) else {
                let reason = "unknown member \(part.name) of a person; use name, phones and emails"
                throw member.error(reason, at: offset ?? part.offset)
            }
            func texts() throws(ItemMemberError) -> [String] {
                if case .string(let text) = part.value { [text] } else { try part.strings() }
            }
            do throws(ItemMemberError) {
                switch part.name {
                case "name": person.name = try part.string()
                case "phones": person.phones = try texts()
                default: person.emails = try texts()
                }
            } catch {
                throw member.error("\(part.name) \(error.reason)", at: offset ?? error.offset)
            }
        }
        return person
    }

    /// Returns the reason why a number is invalid, or nil.
    func failure(of number: Double) -> String? {
        let range: ClosedRange<Double>? =
            switch self {
            case .rankingHint: 0...100
            case .latitude: -90...90
            case .longitude: -180...180
            case .playCount, .duration: 0...9_007_199_254_740_992
            default: nil
            }
        if let range, !range.contains(number) {
            return "must be between \(Int(range.lowerBound)) and \(Int(range.upperBound)), not \(number)"
        }
        return number.isFinite ? nil : "must be a finite number"
    }
}

extension Attribute.Kind {
    /// The kind with its article, for error messages.
    var article: String {
        switch self {
        case .text: "a string"
        case .url: "a URL, as a string"
        case .number: "a number"
        case .date: "a date, as a string"
        case .flag: "true or false"
        case .data: "data in Base64, as a string"
        case .person: "a person, as a name or {\"name\", \"phones\", \"emails\"}"
        }
    }
}

extension AttributeValue {
    static let urlHint = "must be a URL with a scheme, such as https://example.org"

    /// Returns `true` for a URL with a scheme (RFC 3986, section 3.1), without spaces and control characters.
    static func isURL(_ text: String) -> Bool {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), colon != text.utf8.startIndex,
            text.utf8.index(after: colon) != text.utf8.endIndex, text.utf8.count <= 8_192
        else { return false }
        func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
        let scheme = text.utf8[..<colon]
        guard let first = scheme.first, isLetter(first),
            scheme.allSatisfy({ isLetter($0) || (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E].contains($0) })
        else { return false }
        return text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
    }
}
