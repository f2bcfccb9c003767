import ArgumentParser
import SwitchboardKeypad
import SwitchboardKit

struct KeypadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keypad", abstract: "The nine keys of a telephone: the keys of a text, and text by its keys.",
        subcommands: [
            Digits.self, KeypadWordsCommand.self, KeypadType.self, KeypadLearn.self, KeypadForget.self,
            KeypadLearningCommand.self, KeypadLanguages.self,
        ])

    struct Digits: Command {
        static let configuration = CommandConfiguration(
            commandName: "digits",
            abstract: "The keys to press for a text, in any script.",
            discussion: "0 is the gap between words, 1 punctuation. For example: switchboard keypad digits Rio Grande")

        @Argument(help: "The text.")
        var text: [String] = []

        @OptionGroup var batch: BatchOptions
        @OptionGroup var global: GlobalOptions

        private struct Answer: Encodable {
            var query: String?
            var digits: String
        }

        func run(_ session: Session) throws -> ExitStatus {
            guard let text = try batch.query(text, named: "TEXT") else {
                return try session.answerBatch { Answer(query: $0, digits: digits(of: $0)) }
            }
            let answer = Answer(query: nil, digits: digits(of: text))
            try session.answer(answer) { session.output.write(answer.digits + "\n") }
            if !answer.digits.isEmpty { return .done }
            session.diagnostics.note("no key types any of “\(text)”")
            return .nothingFound
        }
    }
}
