import Foundation
import SwitchboardJSON
import SwitchboardKit
import SwitchboardSearchEngine

/// The JSON schemas (2020-12) of requests and responses, in `schemas.json`.
///
/// Objects in responses may gain members; clients can rely on those listed there.
enum Schema {
    /// Returns a reference to a schema of ``all``.
    static func ref(_ name: String) -> JSONValue { ["$ref": .string("#/components/schemas/\(name)")] }

    /// The response of a route that searches if it has a query and lists otherwise.
    static let listOrSearch: JSONValue = ["anyOf": JSONValue([ref("SearchAnswer"), ref("List")])]

    /// One item or an array of items.
    static let items: JSONValue = ["anyOf": JSONValue([ref("Item"), ["type": "array", "items": ref("Item")]])]

    /// Returns all schemas by name.
    ///
    /// - Throws: `JSONSyntaxError` if the file is malformed.
    static func all() throws -> JSONValue {
        // The values of these enumerations come from the search.
        let text = String(decoding: PackageResources.schemas_json, as: UTF8.self)
            .replacing("\"$ResultKind\"", with: try OrderedJSON.text(ResultKind.allCases.map(\.rawValue)))
            .replacing("\"$ResultMatch\"", with: try OrderedJSON.text(ResultMatch.allCases.map(\.rawValue)))
        return try JSONParser.value(of: Array(text.utf8))
    }
}
