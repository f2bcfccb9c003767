import Foundation
import Testing

/// A JSON object that is checked strictly: unknown and missing keys are errors.
struct JSONObject {
    let members: [String: Any]

    struct Malformed: Error, CustomStringConvertible {
        let description: String
    }

    init(_ value: Any?) throws {
        guard let members = value as? [String: Any] else {
            throw Malformed(description: "not an object: \(value ?? "nothing")")
        }
        self.members = members
    }

    /// Parses one line of JSON.
    init(line: String) throws {
        try self.init(JSONSerialization.jsonObject(with: Data(line.utf8)))
    }

    func check(_ required: Set<String>, optional: Set<String> = []) throws {
        let keys = Set(members.keys)
        guard keys.isSuperset(of: required), keys.isSubset(of: required.union(optional)) else {
            throw Malformed(
                description: "keys \(keys.sorted()), expected \(required.sorted()) and optionally \(optional.sorted())")
        }
    }

    func string(_ key: String) throws -> String {
        guard let value = members[key] as? String else { throw Malformed(description: "\(key) is not a string") }
        return value
    }

    func integer(_ key: String) throws -> Int {
        guard let value = members[key] as? NSNumber else { throw Malformed(description: "\(key) is not a number") }
        return value.intValue
    }

    func number(_ key: String) throws -> Double {
        guard let value = members[key] as? NSNumber else { throw Malformed(description: "\(key) is not a number") }
        return value.doubleValue
    }

    func boolean(_ key: String) throws -> Bool {
        guard let value = members[key] as? Bool else {
            throw Malformed(description: "\(key) is not a Boolean")
        }
        return value
    }

    func object(_ key: String) throws -> JSONObject { try JSONObject(members[key]) }

    func objects(_ key: String) throws -> [JSONObject] {
        guard let values = members[key] as? [Any] else { throw Malformed(description: "\(key) is not an array") }
        return try values.map(JSONObject.init)
    }

    func isNull(_ key: String) -> Bool { members[key] is NSNull }
}

// MARK: - The shapes of the contract

extension JSONObject {
    /// Checks a search response and returns its rows.
    func searchRows() throws -> [JSONObject] {
        try check(["query", "final", "elapsedMicroseconds", "results"])
        _ = try string("query")
        _ = try boolean("final")
        #expect(try number("elapsedMicroseconds") >= 0)
        let rows = try objects("results")
        for row in rows { try row.checkRow(isFound: true) }
        return rows
    }

    /// Checks a list and returns its rows.
    func listRows() throws -> [JSONObject] {
        try check(["results"])
        let rows = try objects("results")
        for row in rows { try row.checkRow(isFound: false) }
        return rows
    }

    func checkRow(isFound: Bool) throws {
        let kind = try string("kind")
        var required: Set<String> = ["kind", "id", "title", "subtitle", "highlights", kind]
        if isFound { required.insert("match") }
        if ["contact", "prospect"].contains(kind) { required.insert("number") }
        try check(required, optional: ["match", "stage", "airports", "index"])
        #expect(!(try string("id")).isEmpty)
        #expect(!(try string("title")).isEmpty)
        if members["match"] != nil {
            let kinds = ["exact", "prefix", "initials", "words", "infix", "typo", "layout", "code", "nearby"]
            #expect(kinds.contains(try string("match")))
        }
        switch kind {
        case "contact": try object(kind).checkContact()
        case "prospect": try object(kind).checkProspect()
        case "airport":
            let airport = try object(kind)
            try airport.checkAirport()
            #expect((members["airports"] != nil) == (try airport.boolean("isCity")))
            if members["airports"] != nil {
                for member in try objects("airports") { try member.checkAirport() }
            }
        case "item":
            let item = try object(kind)
            let required: Set<String> = [
                "id", "domain", "expiresAt", "title", "contentDescription", "keywords", "contentType", "url",
            ]
            try item.check(required, optional: Set(item.members.keys))
        default: throw Malformed(description: "kind \(kind)")
        }
        try checkHighlights(kind)
    }

    func checkContact() throws {
        try check(
            [
                "id", "name", "givenName", "familyName", "nickname", "organization", "phones", "emails", "favourite",
                "callCount", "createdAt", "modifiedAt",
            ],
            optional: [
                "namePrefix", "middleName", "nameSuffix", "phoneticName", "phoneticGivenName", "phoneticFamilyName",
                "department", "title", "addresses", "urls", "groups", "photo", "note", "birthday", "lastCalledAt",
                "uid", "relatedNames", "socialProfiles", "pronouns", "otherProperties",
            ])
        for phone in try objects("phones") { try phone.check(["label", "number", "e164"], optional: ["preferred"]) }
        for email in try objects("emails") { try email.check(["label", "address"], optional: ["preferred"]) }
        #expect(try string("createdAt").hasSuffix("Z"))
    }

    func checkProspect() throws {
        try check(
            [
                "id", "name", "email", "phone", "organization", "met", "meetings", "contacted", "createdAt",
                "modifiedAt",
            ],
            optional: ["note", "contactedAt"])
        for meeting in try objects("meetings") { try meeting.check(["at", "place"]) }
        #expect(try boolean("contacted") == (members["contactedAt"] != nil))
        #expect(try string("createdAt").hasSuffix("Z"))
    }

    func checkAirport() throws {
        try check([
            "code", "icao", "name", "city", "cityCode", "country", "region", "latitude", "longitude", "timeZone",
            "popularity", "distance", "isCity",
        ])
        #expect(try string("code").count == 3)
        #expect((-90...90).contains(try number("latitude")))
    }

    /// Checks that the ranges are sorted, disjoint and inside the string that they refer to.
    private func checkHighlights(_ kind: String) throws {
        let highlights = try object("highlights").members
        for (field, value) in highlights {
            let text = try field == "title" || field == "subtitle" ? string(field) : object(kind).text(field)
            guard let ranges = value as? [[Int]] else { throw Malformed(description: "highlights of \(field)") }
            var end = -1
            for range in ranges {
                try #require(range.count == 2)
                #expect(range[0] > end && range[1] > 0)
                end = range[0] + range[1]
            }
            #expect(end <= text.unicodeScalars.count)
        }
    }

    /// Returns the string at a path such as `name` or `phones.0`.
    private func text(_ field: String) throws -> String {
        let parts = field.split(separator: ".").map(String.init)
        guard parts.count > 1, let index = Int(parts[1]) else { return try string(field) }
        if let texts = members[parts[0]] as? [String] {
            guard texts.indices.contains(index) else { throw Malformed(description: "no \(field)") }
            return texts[index]
        }
        let entries = try objects(parts[0])
        guard entries.indices.contains(index) else { throw Malformed(description: "no \(field)") }
        if parts.count == 3 { return try entries[index].string(parts[2]) }
        return try entries[index].string(parts[0] == "emails" ? "address" : "number")
    }

    /// Checks an error object and returns its code.
    func errorCode() throws -> String {
        try check(["error"], optional: ["query"])
        let error = try object("error")
        try error.check(["code", "message", "file", "line", "column"], optional: ["field"])
        #expect(!(try error.string("message")).contains("\n"))
        return try error.string("code")
    }
}

extension RunResult {
    /// Returns the only object on standard output.
    func json() throws -> JSONObject {
        #expect(lines.count == 1, "\(output)")
        return try JSONObject(line: output)
    }

    /// Returns the rows of a search.
    func found() throws -> [JSONObject] { try json().searchRows() }
    /// Returns the rows of a list.
    func listed() throws -> [JSONObject] { try json().listRows() }
}

extension Array where Element == JSONObject {
    func ids() throws -> [String] { try map { try $0.string("id") } }
    func titles() throws -> [String] { try map { try $0.string("title") } }
}
