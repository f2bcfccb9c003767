import ArgumentParser
import SwitchboardKeypad
import SwitchboardKeypadLearning
import SwitchboardKeypadWords
import SwitchboardKit

struct KeypadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "keypad", "Convert text to keypad digits and enter text with nine keys.",
        subcommands: commands([
            Digits.self, KeypadWordsCommand.self, KeypadType.self, KeypadLearn.self, KeypadForget.self,
            KeypadLearningCommand.self, KeypadLanguages.self,
        ]))

    struct Digits: Command {
        static let configuration = CommandConfiguration(
            "digits", "Print the keys of a text in any script.",
            discussion: "0 is a space, 1 punctuation. For example: switchboard keypad digits Rio Grande")

        @Argument(help: "The text.")
        var text: [String] = []

        @OptionGroup var batch: BatchOptions

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

/// The language option of the text entry commands.
struct WordLanguageOption: ParsableArguments {
    @Option("The language of the words, such as tr. (default: from the locale, or else English)", "tag", parsing: .next)
    var language: String?
}

struct KeypadWordsCommand: Command {
    static let configuration = CommandConfiguration(
        "words", "List the words for keys, most likely first.",
        discussion: """
            Complete words come first, then longer words. 1 is an apostrophe and optional. For example: switchboard keypad words \
            3673
            """)

    @Argument("The keys, 2 to 9.", "digits") var digits: [String] = []

    @OptionGroup var names: WordLanguageOption
    @OptionGroup var batch: BatchOptions

    func run(_ session: Session) throws -> ExitStatus {
        let query = try batch.query(digits, named: "DIGITS")
        let switchboard = try session.switchboard()
        guard let query else {
            return try session.runBatch { query in
                var answer = try switchboard.words(for: query, language: names.language, limit: session.searchLimit)
                answer.query = query
                return answer
            }
        }
        let answer = try switchboard.words(for: query, language: names.language, limit: session.searchLimit)
        try session.respond(answer) {
            session.showTable(
                answer.results.map { word in
                    [
                        Cell(word.text, .strong), Cell(Self.share(word.frequency), .faint),
                        Cell(word.isLearned ? "learned" : "", .faint),
                    ]
                })
        }
        if !answer.results.isEmpty { return .done }
        session.diagnostics.note("no word matches the keys “\(query)”")
        return .nothingFound
    }

    /// Formats a relative frequency.
    private static func share(_ frequency: Double) -> String {
        frequency > 0 ? "\((frequency * 10_000_000).rounded() / 10) per million" : ""
    }
}

struct KeypadLanguages: Command {
    static let configuration = CommandConfiguration("languages", "List the languages with word lists.")

    @OptionGroup var names: WordLanguageOption

    private struct Language: Encodable {
        let language: String
        let name: String
        let words: Int
        let current: Bool
    }

    func run(_ session: Session) throws -> ExitStatus {
        let current = try Switchboard.wordList(names.language, otherwise: session.displayLanguage).language
        let list = KeypadWords.languages.map { language in
            Language(
                language: language.code, name: language.name, words: KeypadWords.list(for: language.code)?.count ?? 0,
                current: language.code == current)
        }
        return try session.respond(try session.limited(list)) { language in
            [
                Cell(language.current ? "*" : "", .star), Cell(language.language, .strong), Cell(language.name),
                Cell("\(language.words) words", .faint, isRightAligned: true),
            ]
        }
    }
}

/// The response to learning or forgetting a word.
private struct WordResponse: Encodable {
    let id: String
    let word: String
    let language: String
    var digits: String?
}

struct KeypadLearn: Command {
    static let configuration = CommandConfiguration(
        "learn", "Add a word, which becomes the first candidate of its keys.",
        discussion: "For example: switchboard keypad learn Zyxel")

    @Argument(help: "The word.") var word: String
    @OptionGroup var names: WordLanguageOption

    func run(_ session: Session) throws -> ExitStatus {
        let language = try session.wordLanguage(names)
        let keys = try session.switchboard().keypadLearning.add(word, language: language)
        let digits = String(decoding: keys, as: UTF8.self)
        let answer = WordResponse(id: word, word: word, language: language, digits: digits)
        return try session.respond(answer, note: "\(word) is \(digits)")
    }
}

struct KeypadForget: Command {
    static let configuration = CommandConfiguration(
        "forget", "Forget a learned word, or everything with --all.",
        discussion: "A word of the word list keeps its original rank.")

    @Argument(help: "The word.") var word: String?
    @Flag(help: "Forget all learned words and word pairs of all languages.") var all = false
    @OptionGroup var names: WordLanguageOption

    func run(_ session: Session) throws -> ExitStatus {
        guard (word == nil) == all else { throw SwitchboardError.usage("give either the WORD to forget or --all") }
        let language = try session.wordLanguage(names)
        let learning = try session.switchboard().keypadLearning
        guard let word else {
            try learning.forgetAll()
            return try session.respond(["ids": [String]()], note: "forgot everything")
        }
        try learning.forget(word, language: language)
        return try session.respond(WordResponse(id: word, word: word, language: language), note: "forgot \(word)")
    }
}

struct KeypadLearningCommand: Command {
    static let configuration = CommandConfiguration(
        "learning", "Show whether typed words are learned, or switch learning on or off.",
        discussion: "Switching learning off keeps the learned words; 'keypad forget --all' deletes them.")

    @Argument(help: "on or off. (default: show the setting)") var state: LearningState?
    @OptionGroup var names: WordLanguageOption

    func run(_ session: Session) throws -> ExitStatus {
        _ = try session.wordLanguage(names)
        let learning = try session.switchboard().keypadLearning
        if let state { try learning.setOn(state == .on) }
        let isOn = try learning.isOn()
        return try session.respond(["learning": isOn], line: isOn ? "on" : "off")
    }
}

extension Session {
    fileprivate func wordLanguage(_ names: WordLanguageOption) throws -> String {
        try Switchboard.wordList(names.language, otherwise: displayLanguage).language
    }
}

struct KeypadType: Command {
    static let configuration = CommandConfiguration(
        "type", "Enter text with keys, interactively if KEYS is omitted in a terminal.",
        discussion: """
            2 to 9 are letters, 0 ends the word with a space, * selects the next word for the same keys, # changes the case of the \
            word (abc, Abc, ABC), and 1 is punctuation, or an apostrophe between two letters. / starts an unknown word, which is \
            spelt with repeated keys: 44 is h, and * ends the letter. < deletes the last key. Spaces between keys are ignored. For \
            example:

              switchboard keypad type '#843 0 3673*0'

            A word selected with * becomes the first candidate.
            """)

    @Argument("The keys to press.", "keys") var keys: [String] = []

    @Flag(help: "Do not learn from this text.")
    var noLearn = false

    @OptionGroup var names: WordLanguageOption
    @OptionGroup var batch: BatchOptions

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
