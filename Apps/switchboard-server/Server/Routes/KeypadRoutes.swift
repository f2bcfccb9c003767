import Hummingbird
import SwitchboardJSON
import SwitchboardKit

extension Route {
    /// Text entry on a nine-key keypad.
    static let keypad: [Route] = [
        Route(
            .get, "/v1/keypad", "Get the text and the candidate words for a sequence of keys.", access: .open,
            parameters: [
                Parameter(
                    name: "keys", schema: ["type": "string", "pattern": "^[0-9*#]{0,256}$"],
                    note: "Digits, * for the next word, # for the case.", isRequired: true),
                .language, .limit(),
            ],
            response: .json("KeypadAnswer")
        ) { request, context in
            guard let keys = context.query["keys"], keys.utf8.count <= 256 else {
                throw Problem.badParameter("keys: missing or too long; use at most 256 keys")
            }
            let (language, limit) = (try context.language(), try context.limit())
            // The word lists are part of the program, so the response to an address changes only with the program's
            // version.
            let tag = EntityTag.of(Array("\(Switchboard.version) \(request.head.path ?? "")".utf8))
            return try request.response(tagged: tag, maxAge: 3_600) {
                try .json(Switchboard.keypadResponse(keys: keys, language: language, limit: limit))
            }
        }
    ]
}
