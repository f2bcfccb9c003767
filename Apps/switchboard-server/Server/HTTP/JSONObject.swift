import Foundation

/// The members of a JSON object that a request sends, read one by one so that what is wrong can be named.
struct JSONObject: Sendable {
    private let members: [String: JSONValue]

    /// Reads an object; no bytes at all have no members.
    ///
    /// - Throws: a ``Problem`` for anything that is no JSON object.
    init(_ bytes: [UInt8]) throws {
        if bytes.isEmpty {
            members = [:]
            return
        }
        let value: JSONValue
        do {
            value = try JSONDecoder().decode(JSONValue.self, from: Data(bytes))
        } catch {
            throw Problem.badRequest("the body is not valid JSON", code: "malformedInput")
        }
        guard case .object(let members) = value else {
            throw Problem.badRequest("the body is no JSON object", code: "malformedInput")
        }
        self.members = Dictionary(members, uniquingKeysWith: { $1 })
    }

    /// Whether a member is there, also if it is null.
    func has(_ name: String) -> Bool { members[name] != nil }

    /// A text; nil if it is missing, empty if it is null.
    func text(_ name: String) throws -> String? {
        switch members[name] {
        case nil: nil
        case .null: ""
        case .string(let text): text
        default: throw wrong(name, "a text")
        }
    }

    /// True or false; nil if it is missing.
    func flag(_ name: String) throws -> Bool? {
        switch members[name] {
        case nil, .null: nil
        case .bool(let flag): flag
        default: throw wrong(name, "true or false")
        }
    }

    /// A number; nil if it is missing or another thing than a number.
    func number(_ name: String) -> Double? {
        if case .number(let number) = members[name] { number } else { nil }
    }

    /// Texts, or the texts of one member of objects: `["…"]` or `[{"number": "…", "label": "…"}]` as `label:…`.
    func texts(_ name: String, in member: String) throws -> [String]? {
        guard let value = members[name] else { return nil }
        if value == .null { return [] }
        guard case .array(let values) = value else { throw wrong(name, "a list") }
        return try values.map { value in
            switch value {
            case .string(let text): return text
            case .object(let pairs):
                let object = Dictionary(pairs, uniquingKeysWith: { $1 })
                guard case .string(let text) = object[member] else {
                    throw wrong(name, "a list of texts, or of objects with “\(member)”")
                }
                switch object["label"] {
                case nil, .null: return text
                case .string(let label): return label.isEmpty ? text : "\(label):\(text)"
                default: throw wrong("\(name).label", "a text")
                }
            default: throw wrong(name, "a list of texts, or of objects with “\(member)”")
            }
        }
    }

    /// Refuses members that are not known, so that a slip of the pen is not passed over.
    func check(known: Set<String>) throws {
        if let name = members.keys.sorted().first(where: { !known.contains($0) }) {
            throw Problem.badRequest(
                "there is no member “\(name)”; known are \(known.sorted().joined(separator: ", "))",
                code: "unknownMember")
        }
    }

    private func wrong(_ name: String, _ expected: String) -> Problem {
        .badRequest("\(name): give \(expected)", code: "malformedInput")
    }
}
