import SwitchboardJSON

/// A JSON object from a request body. Members are read one by one, so errors can name them.
struct JSONObject: Sendable {
    private let members: [String: JSONValue]

    /// Parses an object; an empty body is an object without members.
    ///
    /// - Parameter known: The members that the object may have. Rejecting others catches misspelled names.
    /// - Throws: A ``Problem`` if the body is not a JSON object, or has unknown members or strings with U+0000.
    init(_ bytes: [UInt8], known: Set<String>) throws {
        let value: JSONValue
        do {
            value = bytes.isEmpty ? [:] : try JSONParser.value(of: bytes)
        } catch {
            throw Problem.malformed("the body is not valid JSON: \(error.reason)")
        }
        try self.init(value, "the body is not a JSON object", known: known)
    }

    /// Creates an object from a value.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - error: The message of the problem if the value is not an object.
    ///   - known: The members that the object may have.
    init(_ value: JSONValue, _ error: String, known: Set<String>) throws {
        guard case .object(let members) = value else { throw Problem.malformed(error) }
        self.members = Dictionary(members.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
        if self.members.count < members.count {
            var names: Set<String> = []
            let name = members.first { !names.insert($0.name).inserted }?.name ?? ""
            throw Problem.malformed("\(name): the object has this member twice", field: name)
        }
        if let name = self.members.keys.filter({ !known.contains($0) }).min() {
            throw Problem.badRequest(
                "unknown member “\(name)”; use \(known.sorted().joined(separator: ", "))", code: "unknownMember")
        }
        // Databases truncate text at U+0000, so an identifier could name another object.
        if let name = members.first(where: { $0.value.containsNUL })?.name {
            throw Problem.badRequest("\(name): \(ErrorDetails.nulReason)", code: "nulText", field: name)
        }
    }

    /// Returns whether the object has a member, even if it is null.
    func has(_ name: String) -> Bool { members[name] != nil }

    /// Returns a member that is an object.
    ///
    /// - Parameter known: The members that the object may have.
    func object(_ name: String, known: Set<String>) throws -> JSONObject {
        try JSONObject(members[name] ?? .null, "\(name): must be an object", known: known)
    }

    /// Returns a string member; nil if missing, empty if null.
    func text(_ name: String) throws -> String? {
        switch members[name] {
        case nil: nil
        case .null: ""
        case .string(let text): text
        default: throw wrong(name, "a string")
        }
    }

    /// Copies string members to the properties of a value; missing members leave them unchanged.
    func copy<Value>(_ fields: [(name: String, path: WritableKeyPath<Value, String?>)], to value: inout Value) throws {
        for (name, path) in fields {
            if let text = try text(name) { value[keyPath: path] = text }
        }
    }

    /// Returns a Boolean member; nil if missing or null.
    func flag(_ name: String) throws -> Bool? {
        switch members[name] {
        case nil, .null: nil
        case .bool(let flag): flag
        default: throw wrong(name, "true or false")
        }
    }

    /// Returns a number member; nil if missing or not a number.
    func number(_ name: String) -> Double? {
        if case .number(let number) = members[name] { number } else { nil }
    }

    /// An element of a list: text as a person types it, or an object.
    enum Entry: Sendable {
        case text(String)
        case object(JSONObject)
    }

    /// Returns a list of strings or objects; nil if missing, empty if null.
    ///
    /// - Parameter known: The members that the objects may have.
    func entries(_ name: String, known: Set<String>) throws -> [Entry]? {
        guard let value = members[name] else { return nil }
        if case .null = value { return [] }
        guard case .array(let elements) = value else { throw wrong(name, "a list") }
        return try elements.map { element in
            if case .string(let text) = element.value { return .text(text) }
            return .object(
                try JSONObject(element.value, "\(name): must be a list of strings or objects", known: known))
        }
    }

    /// Returns a list of strings; nil if missing, empty if null.
    func texts(_ name: String) throws -> [String]? {
        guard let value = members[name] else { return nil }
        if case .null = value { return [] }
        return try texts(of: value, name, "a list of strings")
    }

    /// Returns a list of lists of strings.
    func groups(_ name: String) throws -> [[String]] {
        let expected = "a list of lists of strings"
        guard case .array(let elements)? = members[name] else { throw wrong(name, expected) }
        return try elements.map { try texts(of: $0.value, name, expected) }
    }

    private func texts(of value: JSONValue, _ name: String, _ expected: String) throws -> [String] {
        guard case .array(let elements) = value else { throw wrong(name, expected) }
        return try elements.map { element in
            guard case .string(let text) = element.value else { throw wrong(name, expected) }
            return text
        }
    }

    private func wrong(_ name: String, _ expected: String) -> Problem {
        .malformed("\(name): must be \(expected)", field: name)
    }
}

extension JSONValue {
    /// `true` if a string in the value contains U+0000.
    fileprivate var containsNUL: Bool {
        switch self {
        case .string(let text): text.utf8.contains(0)
        case .array(let elements): elements.contains { $0.value.containsNUL }
        case .object(let members): members.contains { $0.value.containsNUL }
        default: false
        }
    }
}
