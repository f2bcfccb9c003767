import HTTPTypes
import HummingbirdCore
import SwitchboardJSON
import SwitchboardKit

extension Route {
    /// Text entry on a nine-key keypad.
    static let keypad: [Route] = [
        Route(
            .get, "/v1/keypad", "Get the text and the candidate words for a sequence of keys.", access: .open,
            parameters: [
                Parameter(
                    name: "keys", schema: ["type": "string", "pattern": "^[0-9*#]{0,64}$"],
                    note: "Digits, * for the next word, # for the case.", isRequired: true),
                .language, .limit(),
            ],
            response: .json(Schema.ref("KeypadAnswer"))
        ) { context in
            guard let keys = context.query["keys"], keys.utf8.count <= 256 else {
                throw Problem.badRequest("keys: missing or too long; use 1 to 256 keys", code: "badParameter")
            }
            let (language, limit) = (try context.language(), try context.limit())
            // The word lists are part of the program, so the response to an address never changes.
            let tag = EntityTag.of(Array((context.request.head.path ?? "").utf8))
            if EndpointResponse.isKnown(tag, to: context.fields) { return .notModified(tag, maxAge: 3_600) }
            let response = try Switchboard.keypadResponse(keys: keys, language: language, limit: limit)
            return try .json(response).tagged(tag, maxAge: 3_600)
        }
    ]
}
