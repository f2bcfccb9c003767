import ArgumentParser
import SwitchboardKeypad
import SwitchboardKit

struct KeypadType: Command {
    static let configuration = CommandConfiguration(
        commandName: "type",
        abstract: "Text by its keys; at a terminal, without keys, typed while you look.",
        discussion: """
            2 to 9 are letters, 0 ends the word with a space, * is the next word of the same keys, # changes the case of the word (abc, Abc, ABC), 1 is \
            punctuation, and between two letters the apostrophe. / begins a word that no list has, letter by letter: 44 is h, * ends the letter. < \
            takes the last key back. Spaces between keys do not count. For example:

              switchboard keypad type '#843 0 3673*0'

            A word chosen with * comes first the next time.
            """)

    @Argument(help: ArgumentHelp("The keys.", valueName: "keys"))
    var keys: [String] = []

    @Flag(help: "Learn nothing from this text.")
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
            return try session.answerBatch { query in
                var answer = try type(query)
                answer.query = query
                return answer
            }
        }
        let answer = try type(query)
        try session.answer(answer) {
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
                // In a word that is spelt, a pause ends the letter.
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
