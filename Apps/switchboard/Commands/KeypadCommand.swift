import ArgumentParser
import SwitchboardKeypad
import SwitchboardKit

struct KeypadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keypad", abstract: "Convert text to keypad digits and enter text with nine keys.",
        subcommands: [
            Digits.self, KeypadWordsCommand.self, KeypadType.self, KeypadLearn.self, KeypadForget.self,
            KeypadLearningCommand.self, KeypadLanguages.self,
        ])

    struct Digits: Command {
        static let configuration = CommandConfiguration(
            commandName: "digits",
            abstract: "Print the keys of a text in any script.",
            discussion: "0 is a space, 1 punctuation. For example: switchboard keypad digits Rio Grande")

        @Argument(help: "The text.")
        var text: [String] = []

        @OptionGroup var batch: BatchOptions
        @OptionGroup var global: GlobalOptions

        private struct Response: Encodable {
            var query: String?
            var digits: String
        }

        func run(_ session: Session) throws -> ExitStatus {
            guard let text = try batch.query(text, named: "TEXT") else {
                return try session.runBatch { Response(query: $0, digits: digits(of: $0)) }
            }
            let answer = Response(query: nil, digits: digits(of: text))
            try session.respond(answer, line: answer.digits)
            if !answer.digits.isEmpty { return .done }
            session.diagnostics.note("no character of “\(text)” is on a key")
            return .nothingFound
        }
    }
}
