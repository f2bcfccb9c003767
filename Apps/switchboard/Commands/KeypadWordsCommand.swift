import ArgumentParser
import SwitchboardKeypad
import SwitchboardKeypadWords
import SwitchboardKit

/// The language option of the text entry commands.
struct WordLanguageOption: ParsableArguments {
    @Option("The language of the words, such as tr. (default: from the locale, or else English)", "tag", parsing: .next)
    var language: String?
}

struct KeypadWordsCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "words",
        abstract: "List the words for keys, most likely first.",
        discussion: """
            Complete words come first, then longer words. 1 is an apostrophe and optional. For example: switchboard keypad words \
            3673
            """)

    @Argument(help: ArgumentHelp("The keys, 2 to 9.", valueName: "digits"))
    var digits: [String] = []

    @OptionGroup var names: WordLanguageOption
    @OptionGroup var batch: BatchOptions
    @OptionGroup var global: GlobalOptions

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
                        Cell(word.word, .strong), Cell(Self.share(word.frequency), .faint),
                        Cell(word.learned ? "learned" : "", .faint),
                    ]
                })
        }
        if !answer.results.isEmpty { return .done }
        session.diagnostics.note("no word matches the keys “\(query)”")
        return .nothingFound
    }
}

extension KeypadWordsCommand {
    /// Formats a relative frequency.
    private static func share(_ frequency: Double) -> String {
        frequency > 0 ? "\((frequency * 10_000_000).rounded() / 10) per million" : ""
    }
}

struct KeypadLanguages: Command {
    static let configuration = CommandConfiguration(
        commandName: "languages", abstract: "List the languages with word lists.")

    @OptionGroup var names: WordLanguageOption
    @OptionGroup var global: GlobalOptions

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
        return try session.respond(session.limited(list)) { language in
            [
                Cell(language.current ? "*" : "", .star), Cell(language.language, .strong), Cell(language.name),
                Cell("\(language.words) words", .faint, isRightAligned: true),
            ]
        }
    }
}
