import SwitchboardJSON

/// A JSON object from a request body. Members are read one by one, so that errors can name them.
struct JSONObject: Sendable {
    private let members: [String: JSONValue]

    /// Parses an object; an empty body is an object without members.
    ///
    /// - Throws: A ``Problem`` if the body is not a JSON object.
    init(_ bytes: [UInt8]) throws {
        if bytes.isEmpty {
            members = [:]
            return
        }
        let value: JSONValue
        do {
            value = try JSONParser.value(of: bytes)
        } catch {
            throw Problem.badRequest("the body is not valid JSON: \(error.reason)", code: "malformedInput")
        }
        guard case .object(let members) = value else {
            throw Problem.badRequest("the body is not a JSON object", code: "malformedInput")
        }
        self.members = Dictionary(members.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    }

    /// Returns whether the object has a member, even if it is null.
    func has(_ name: String) -> Bool { members[name] != nil }

    /// Returns a string member; nil if missing, empty if null.
    func text(_ name: String) throws -> String? {
        switch members[name] {
        case nil: nil
        case .null: ""
        case .string(let text): text
        default: throw wrong(name, "a string")
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

    /// Returns a list of strings, or of objects such as `{"number": "…", "label": "…"}`, which become `label:…`.
    func texts(_ name: String, in member: String) throws -> [String]? {
        guard let value = members[name] else { return nil }
        if case .null = value { return [] }
        guard case .array(let elements) = value else { throw wrong(name, "a list") }
        return try elements.map { element in
            let object = element.value
            switch object {
            case .string(let text): return text
            case .object:
                guard let text = object[member]?.string else {
                    throw wrong(name, "a list of strings, or of objects with “\(member)”")
                }
                switch object["label"] {
                case nil, .null: return text
                case .string(let label): return label.isEmpty ? text : "\(label):\(text)"
                default: throw wrong("\(name).label", "a string")
                }
            default: throw wrong(name, "a list of strings, or of objects with “\(member)”")
            }
        }
    }

    /// Rejects unknown members, so that a misspelt name is not ignored.
    func check(known: Set<String>) throws {
        if let name = members.keys.sorted().first(where: { !known.contains($0) }) {
            throw Problem.badRequest(
                "unknown member “\(name)”; use \(known.sorted().joined(separator: ", "))",
                code: "unknownMember")
        }
    }

    private func wrong(_ name: String, _ expected: String) -> Problem {
        .badRequest("\(name): must be \(expected)", code: "malformedInput")
    }
}
