import ArgumentParser
import Foundation
import SwitchboardKeypad
import SwitchboardKeypadLearning
import SwitchboardKeypadWords
import SwitchboardKit
import SwitchboardTerminalText

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
            isPlain: !session.style.isColored, isQuiet: session.options.quiet, words: typing.entry.words)
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

/// A line of text entered with nine keys in a terminal, with the candidate words below it.
///
/// It is drawn on standard error because standard output receives only the finished text.
private struct KeypadScreen {
    enum Action {
        case press(EntryKey)
        /// A pause while a word is spelled, which ends the letter.
        case pause
        case done
        case interrupted
    }

    private let saved: termios
    private let isPlain: Bool
    private let stopping = SignalObserver(SignalObserver.termination)
    private var input: [UInt8] = []
    private var isOpen = true
    private var hasShown = false
    /// `true` while a letter is entered by repeated taps.
    private var isTapping = false

    /// The pause in milliseconds that ends a letter.
    private static let letterTimeout: Int32 = 1_000

    /// Puts the terminal into raw mode without echo.
    init(isPlain: Bool, isQuiet: Bool, words: some WordSource) throws {
        self.isPlain = isPlain
        var settings = termios()
        // Each `unsafe` is safe because the system call reads or writes a local variable.
        guard unsafe tcgetattr(STDIN_FILENO, &settings) == 0 else {
            throw SwitchboardError.usage(
                "typing needs a terminal; add KEYS, or read them from standard input with --batch")
        }
        saved = settings
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
        settings.c_iflag &= ~tcflag_t(IXON)
        unsafe tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
        if !isQuiet { StandardStreams.writeError(Self.layout(words)) }
    }

    /// Restores the terminal.
    mutating func close() {
        guard isOpen else { return }
        isOpen = false
        if hasShown { StandardStreams.writeError("\r\u{1B}[J") }
        var settings = saved
        unsafe tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
    }

    // MARK: - Keys

    /// Returns the user's next action. Unassigned keys are ignored.
    mutating func nextKey(isSpelling: Bool) throws -> Action {
        while true {
            if stopping.wasReceived { return .interrupted }
            guard let byte = try nextByte(timeout: isSpelling && isTapping ? Self.letterTimeout : -1) else {
                if stopping.wasReceived { return .interrupted }
                guard isSpelling, isTapping else { return .done }
                isTapping = false
                return .pause
            }
            switch byte {
            case 0x03: return .interrupted
            case 0x04, 0x0A, 0x0D: return .done
            case 0x08, 0x7F: return .press(.delete)
            case 0x09: return .press(.next)
            case 0x20: return .press(.space)
            case 0x1B: skipSequence()
            default:
                guard let key = EntryKey(Character(Unicode.Scalar(byte))) else { continue }
                if case .letter = key { isTapping = true } else { isTapping = false }
                return .press(key)
            }
        }
    }

    /// Returns the next byte, or `nil` at the end of the input, after a signal, or after the timeout.
    private mutating func nextByte(timeout milliseconds: Int32) throws -> UInt8? {
        if !input.isEmpty { return input.removeFirst() }
        var waited: Int32 = 0
        while !stopping.wasReceived {
            // Poll in short slices to notice signals.
            let slice: Int32 = 100
            var request = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            let ready = unsafe poll(&request, 1, slice)
            if ready == 0 {
                waited += slice
                if milliseconds >= 0, waited >= milliseconds { return nil }
                continue
            }
            let name = "standard input"
            input = (try? StandardStreams.read(STDIN_FILENO, upTo: 256, name: name, file: name)) ?? []
            guard !input.isEmpty else {
                isTapping = false
                return nil
            }
            return input.removeFirst()
        }
        return nil
    }

    /// Skips the escape sequence of an arrow or function key.
    private mutating func skipSequence() {
        guard let next = input.first, next == UInt8(ascii: "[") || next == UInt8(ascii: "O") else { return }
        input.removeFirst()
        while let byte = input.first {
            input.removeFirst()
            if (0x40...0x7E).contains(byte) { return }
        }
    }

    // MARK: - Drawing

    /// Draws the text and the candidates.
    mutating func show(_ typing: inout KeypadTyping) throws {
        let unfinished = try typing.unfinished()
        let text = try typing.text()
        let done = String(text.dropLast(unfinished.count))
        let candidates = try typing.candidates()
        let width = max(20, columns())
        let word = TerminalText.sanitized(unfinished)
        let before = Self.tail(TerminalText.sanitized(done), width: width - TerminalText.width(of: word) - 2)
        let line = before + (isPlain || word.isEmpty ? word : "\u{1B}[4m\(word)\u{1B}[0m") + "_"
        let choices = choices(candidates, typing.entry.choice, width: width)
        StandardStreams.writeError("\r\u{1B}[J" + line + "\r\n" + choices + "\r\u{1B}[A")
        hasShown = true
    }

    /// Returns the longest suffix of a text that fits into a width.
    private static func tail(_ text: String, width: Int) -> String {
        var room = width
        let end = text.reversed().prefix { letter in
            room -= TerminalText.width(of: String(letter))
            return room >= 0
        }
        return String(end.reversed())
    }

    /// Returns a line of candidates around the selected one.
    private func choices(_ candidates: [String], _ choice: Int?, width: Int) -> String {
        var line = ""
        var used = 0
        let first = max(0, (choice ?? 0) - 3)
        for (index, candidate) in candidates.enumerated().dropFirst(first) {
            let text = TerminalText.sanitized(candidate)
            let needed = TerminalText.width(of: text) + 3
            guard used + needed < width else { break }
            used += needed
            if index != choice {
                line += " \(text)  "
            } else {
                line += isPlain ? "[\(text)] " : " \u{1B}[7m\(text)\u{1B}[0m  "
            }
        }
        return line
    }

    private func columns() -> Int {
        var size = winsize()
        guard unsafe ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// Returns a drawing of the keypad in the language of the words.
    private static func layout(_ words: some WordSource) -> String {
        let letters = (UInt8(ascii: "2")...UInt8(ascii: "9")).map { key in
            "\(Character(Unicode.Scalar(key))) \(String(words.letters(on: key).prefix(6)))"
        }
        let keys = ["1 . , '"] + letters + ["* next (Tab)", "0 space", "# case", "/ spell", "Backspace", "Enter: done"]
        return keys.enumerated().map { index, cell in
            cell + String(repeating: " ", count: max(1, 14 - TerminalText.width(of: cell)))
                + (index % 3 == 2 ? "\r\n" : "")
        }.joined()
    }
}
