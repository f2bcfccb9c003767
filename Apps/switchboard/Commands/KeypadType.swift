import ArgumentParser
import SwitchboardKeypad
import SwitchboardKit

struct KeypadType: Command {
    static let configuration = CommandConfiguration(
        commandName: "type",
        abstract: "Enter text with keys, interactively if KEYS is omitted in a terminal.",
        discussion: """
            2 to 9 are letters, 0 ends the word with a space, * selects the next word for the same keys, # changes the case of the \
            word (abc, Abc, ABC), and 1 is punctuation, or an apostrophe between two letters. / starts an unknown word, which is \
            spelt with repeated keys: 44 is h, and * ends the letter. < deletes the last key. Spaces between keys are ignored. For \
            example:

              switchboard keypad type '#843 0 3673*0'

            A word selected with * becomes the first candidate.
            """)

    @Argument(help: ArgumentHelp("The keys to press.", valueName: "keys"))
    var keys: [String] = []

    @Flag(help: "Do not learn from this text.")
    var noLearn = false

    @OptionGroup var names: WordLanguageOption
    @OptionGroup var batch: BatchOptions
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        let switchboard = try session.switchboard()
        if keys.isEmpty, !batch.batch, session.isInteractive { return try typeAtTerminal(switchboard, session) }
        let query = try batch.query(keys, named: "KEYS")
        func type(_ keys: String) throws -> KeypadTextResponse {
            try switchboard.type(keys, language: names.language, limit: session.searchLimit, learns: !noLearn)
        }
        guard let query else {
            return try session.runBatch { query in
                var answer = try type(query)
                answer.query = query
                return answer
            }
        }
        let answer = try type(query)
        try session.respond(answer) {
            session.output.write(Cell(answer.text).text + "\n")
            session.diagnostics.detail("\(answer.keystrokes) keystrokes; \(answer.candidates.joined(separator: " "))")
        }
        return .done
    }

    private func typeAtTerminal(_ switchboard: Switchboard, _ session: Session) throws -> ExitStatus {
        var typing = try switchboard.typing(language: names.language, learns: !noLearn)
        var screen = try KeypadScreen(
            isPlain: !session.style.isColoured, isQuiet: session.options.quiet, words: typing.entry.words)
        defer { screen.close() }
        while true {
            try screen.show(&typing)
            switch try screen.nextKey(isSpelling: typing.entry.isSpelling) {
            case .press(let key): try typing.press(key)
            case .pause:
                try typing.press(.next)
            case .done:
                try typing.finish()
                let text = try typing.text()
                screen.close()
                session.output.write(Cell(text).text + "\n")
                return .done
            case .interrupted: return .interrupted
            }
        }
    }
}
