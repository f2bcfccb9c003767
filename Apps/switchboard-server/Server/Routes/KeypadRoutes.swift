import HTTPTypes
import HummingbirdCore
import SwitchboardKit

extension Route {
    /// Text entry with nine keys.
    static let keypad: [Route] = [
        Route(
            .get, "/v1/keypad", "What keys type, and the words that they may mean.", door: .open,
            parameters: [
                Parameter(
                    name: "keys", schema: ["type": "string", "pattern": "^[0-9*#]{0,64}$"],
                    note: "Digits, * for the next word, # for the case.", isRequired: true),
                .language, .limit(),
            ],
            answers: .json(Schema.ref("KeypadAnswer"))
        ) { call in
            guard let keys = call.query["keys"], keys.utf8.count <= 256 else {
                throw Problem.badRequest("keys: give up to 256 keys", code: "badParameter")
            }
            let (language, limit) = (try call.language(), try call.limit())
            // The lists are a part of the program: the answer to an address stays what it is.
            let tag = StaticTag.of(Array((call.request.head.path ?? "").utf8))
            if Answer.isKnown(tag, to: call.fields) { return .notModified(tag, maxAge: 3_600) }
            let answer = try Switchboard.keypadAnswer(keys: keys, language: language, limit: limit)
            return try .json(answer).tagged(tag, maxAge: 3_600)
        }
    ]
}
