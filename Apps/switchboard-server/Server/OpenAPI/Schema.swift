import SwitchboardAirports
import SwitchboardJSON
import SwitchboardKit
import SwitchboardSearchEngine

/// The JSON schemas (2020-12) of requests and responses.
///
/// Objects in responses may gain members; clients can rely on those listed here.
enum Schema {
    /// Returns a reference to a schema of ``all``.
    static func ref(_ name: String) -> JSONValue { ["$ref": .string("#/components/schemas/\(name)")] }

    /// The response of a route that searches if it has a query and lists otherwise.
    static let listOrSearch: JSONValue = ["anyOf": JSONValue([ref("SearchAnswer"), ref("List")])]

    /// One item or an array of items.
    static let items: JSONValue = ["anyOf": JSONValue([ref("Item"), ["type": "array", "items": ref("Item")]])]

    private static let text: JSONValue = ["type": "string"]
    private static let textOrNull: JSONValue = ["type": ["string", "null"]]
    private static let flag: JSONValue = ["type": "boolean"]
    private static let time: JSONValue = ["type": "string", "format": "date-time"]
    private static let count: JSONValue = ["type": "integer", "minimum": 0]

    private static func object(
        _ properties: JSONValue, required: [String] = [], isClosed: Bool = false
    ) -> JSONValue {
        var members: [(key: String, value: JSONValue)] = [("type", "object"), ("properties", properties)]
        if !required.isEmpty { members.append(("required", JSONValue(required.map(JSONValue.string)))) }
        if isClosed { members.append(("additionalProperties", false)) }
        return JSONValue(members)
    }

    private static func list(of element: JSONValue) -> JSONValue { ["type": "array", "items": element] }

    /// Returns string members that null removes.
    private static func texts(_ names: [String]) -> [(key: String, value: JSONValue)] {
        names.map { ($0, textOrNull) }
    }

    /// All schemas by name.
    static let all: JSONValue = JSONValue(responses + objects + changes)

    // MARK: - Responses

    private static let responses: [(key: String, value: JSONValue)] = [
        (
            "Problem",
            object(
                [
                    "type": text, "title": text, "status": ["type": "integer"], "code": text, "detail": text,
                    "line": ["type": "integer"], "column": ["type": "integer"], "skipped": list(of: ["type": "object"]),
                ], required: ["type", "title", "status", "code", "detail"])
        ),
        (
            "SearchAnswer",
            object(
                [
                    "query": text, "final": flag, "elapsedMicroseconds": ["type": "number"],
                    "results": list(of: ref("Row")),
                ], required: ["query", "final", "elapsedMicroseconds", "results"])
        ),
        (
            "List", object(["results": list(of: ["type": "object"]), "nextCursor": text], required: ["results"])
        ),
        (
            "Row",
            object(
                [
                    "kind": ["enum": JSONValue(ResultKind.allCases.map { .string($0.rawValue) })], "id": text,
                    "title": text,
                    "subtitle": text, "match": ["enum": JSONValue(ResultMatch.allCases.map { .string($0.rawValue) })],
                    "stage": ["type": "integer"],
                    "highlights": [
                        "type": "object",
                        "additionalProperties": list(of: list(of: ["type": "integer", "minimum": 0])),
                    ],
                    "contact": ref("Contact"), "prospect": ref("Prospect"), "airport": ref("Airport"),
                    "airports": list(of: ref("Airport")), "item": ["type": "object"],
                ], required: ["kind", "id", "title", "subtitle", "highlights"])
        ),
        ("ContactAnswer", object(["id": text, "contact": ref("Contact")], required: ["id", "contact"])),
        ("ProspectAnswer", object(["id": text, "prospect": ref("Prospect")], required: ["id", "prospect"])),
        ("AirportAnswer", object(["id": text, "airport": ref("Airport")], required: ["id", "airport"])),
        ("ItemAnswer", object(["id": text, "item": ["type": "object"]], required: ["id", "item"])),
        ("ActivityAnswer", object(["id": text, "activity": ["type": "object"]], required: ["id", "activity"])),
        ("Identifiers", object(["ids": list(of: text)], required: ["ids"])),
        (
            "ImportReport",
            object(
                [
                    "added": count, "merged": count, "unchanged": count,
                    "skipped": list(of: object(["file": text, "line": ["type": "integer"], "reason": text])),
                    "notes": list(of: object(["file": text, "line": ["type": "integer"], "reason": text])),
                ], required: ["added", "merged", "unchanged", "skipped"])
        ),
        (
            "ScanReport",
            object(
                [
                    "added": count, "merged": count, "results": list(of: ref("Row")),
                    "skipped": list(of: object(["file": text, "reason": text, "text": textOrNull])),
                ], required: ["added", "merged", "results", "skipped"])
        ),
        (
            "PutAnswer",
            object(
                ["indexed": count, "updated": count, "clientState": textOrNull],
                required: ["indexed", "updated", "clientState"])
        ),
        ("Continuation", object(["activity": ["type": "object"], "open": text], required: ["activity", "open"])),
        (
            "KeypadAnswer",
            object(
                [
                    "keys": text, "language": text, "text": text, "keystrokes": count, "candidates": list(of: text),
                    "results": list(of: object(["word": text, "frequency": ["type": "number"], "learned": flag])),
                ], required: ["keys", "language", "text", "keystrokes", "candidates", "results"])
        ),
        ("Me", object(["me": ["type": "object"], "vCard": text], required: ["me", "vCard"])),
        ("Access", object(["what": text, "status": text, "purpose": text], required: ["what", "status", "purpose"])),
        ("Session", object(["person": text, "scopes": list(of: text)], required: ["person", "scopes"])),
        ("CalendarAddress", object(["url": text], required: ["url"])),
        ("Health", object(["status": text], required: ["status"])),
        (
            "Snapshot",
            object(
                ["schema": ["const": 1], "generatedAt": time, "airports": list(of: ["type": "object"])],
                required: ["schema", "generatedAt", "airports"])
        ),
    ]

    // MARK: - Objects

    private static let objects: [(key: String, value: JSONValue)] = [
        (
            "Contact",
            object(
                [
                    "id": text, "name": text, "givenName": textOrNull, "familyName": textOrNull, "nickname": textOrNull,
                    "organization": textOrNull,
                    "phones": list(
                        of: object(
                            ["label": textOrNull, "number": text, "e164": textOrNull],
                            required: ["label", "number", "e164"])),
                    "emails": list(
                        of: object(["label": textOrNull, "address": text], required: ["label", "address"])),
                    "groups": list(of: text),
                    "photo": object(["type": text, "size": count], required: ["type", "size"]),
                    "note": text, "favourite": flag, "callCount": count, "createdAt": time, "modifiedAt": time,
                ], required: ["name", "phones", "emails", "favourite"])
        ),
        (
            "Prospect",
            object(
                [
                    "id": text, "name": text, "email": textOrNull, "phone": textOrNull, "organization": textOrNull,
                    "note": text, "met": textOrNull, "contacted": flag, "contactedAt": time, "createdAt": time,
                    "modifiedAt": time,
                ], required: ["id", "name", "email", "contacted"])
        ),
        (
            "Airport",
            object(
                [
                    "code": text, "icao": textOrNull, "name": text, "city": textOrNull, "cityCode": textOrNull,
                    "country": textOrNull, "latitude": ["type": "number", "minimum": -90, "maximum": 90],
                    "longitude": ["type": "number", "minimum": -180, "maximum": 180], "timeZone": textOrNull,
                    "popularity": ["type": "number", "minimum": 0, "maximum": 1],
                    "distance": ["type": ["number", "null"]],
                ], required: ["code", "name", "latitude", "longitude", "popularity"])
        ),
        (
            "Reminder",
            object(
                [
                    "id": text, "prospect": text, "name": text, "title": text, "body": text, "dueAt": time,
                    "timeZone": text, "state": ["enum": ["pending", "delivered", "cancelled"]], "late": flag,
                ], required: ["id", "prospect", "name", "title", "body", "dueAt", "timeZone", "state", "late"])
        ),
    ]

    // MARK: - Requests

    private static let changes: [(key: String, value: JSONValue)] = [
        (
            "ContactChange",
            JSONValue([
                ("type", "object"), ("additionalProperties", false),
                (
                    "properties",
                    JSONValue(
                        texts([
                            "name", "givenName", "familyName", "nickname", "organization", "note", "namePrefix",
                            "middleName", "nameSuffix", "phoneticGivenName", "phoneticFamilyName", "department",
                            "title",
                            "birthday",
                        ]) + [
                            ("favourite", ["type": ["boolean", "null"]]),
                            ("phones", labelled("number")), ("emails", labelled("address")),
                            ("groups", ["type": ["array", "null"], "items": text]),
                        ])
                ),
            ])
        ),
        (
            "ProspectChange",
            JSONValue([
                ("type", "object"), ("additionalProperties", false),
                (
                    "properties",
                    JSONValue(
                        texts(["name", "email", "phone", "organization", "note", "met"])
                            + [("contacted", ["type": ["boolean", "null"]])])
                ),
            ])
        ),
        (
            "MeChange",
            JSONValue([
                ("type", "object"), ("additionalProperties", false),
                ("properties", JSONValue(texts(["name", "email", "phone", "organization", "title", "url"]))),
            ])
        ),
        (
            "ReminderChange",
            object(
                [
                    "at": ["type": "string", "description": "2026-11-21 14:30, or with a time zone."],
                    "in": ["type": ["integer", "string"], "description": "Seconds, or a delay such as 2h."],
                    "timeZone": ["type": "string", "description": "Such as Europe/Berlin; by default the server's."],
                ], isClosed: true)
        ),
        ("Engagement", object(["query": textOrNull], isClosed: true)),
        (
            "Item",
            object([
                "id": text, "domain": textOrNull, "expiresAt": textOrNull, "isUpdate": flag, "title": textOrNull,
                "contentDescription": textOrNull, "keywords": ["type": ["array", "null"], "items": text],
                "contentType": textOrNull, "url": textOrNull, "custom": ["type": ["object", "null"]],
            ])
        ),
        (
            "ActivityChange",
            object(
                [
                    "activityType": text, "title": textOrNull, "userInfo": ["type": "object"],
                    "requiredUserInfoKeys": list(of: text), "keywords": list(of: text), "webpageURL": textOrNull,
                    "persistentIdentifier": textOrNull, "eligibleForHandoff": flag, "eligibleForSearch": flag,
                    "eligibleForPublicIndexing": flag,
                ], required: ["activityType"])
        ),
    ]

    /// Returns a list of strings, or of objects with a label.
    private static func labelled(_ member: String) -> JSONValue {
        [
            "type": ["array", "null"],
            "items": [
                "anyOf": JSONValue([
                    text,
                    [
                        "type": "object", "required": JSONValue([.string(member)]),
                        "properties": JSONValue([(member, text), ("label", textOrNull)]),
                    ],
                ])
            ],
        ]
    }
}
