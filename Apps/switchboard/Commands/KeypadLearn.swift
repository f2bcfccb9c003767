import ArgumentParser
import SwitchboardKeypad
import SwitchboardKeypadLearning
import SwitchboardKit

/// The response to learning or forgetting a word.
private struct WordResponse: Encodable {
    let id: String
    let word: String
    let language: String
    var digits: String?
}

struct KeypadLearn: Command {
    static let configuration = CommandConfiguration(
        commandName: "learn",
        abstract: "Add a word, which becomes the first candidate of its keys.",
        discussion: "For example: switchboard keypad learn Zyxel")

    @Argument(help: "The word.") var word: String
    @OptionGroup var names: WordLanguageOption
    @OptionGroup var global: GlobalOptions

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
        commandName: "forget",
        abstract: "Forget a learned word, or everything with --all.",
        discussion: "A word of the word list keeps its original rank.")

    @Argument(help: "The word.") var word: String?
    @Flag(help: "Forget all learned words and word pairs of all languages.") var all = false
    @OptionGroup var names: WordLanguageOption
    @OptionGroup var global: GlobalOptions

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
        commandName: "learning",
        abstract: "Show whether typed words are learned, or switch learning on or off.",
        discussion: "Switching learning off keeps the learned words; 'keypad forget --all' deletes them.")

    @Argument(help: "on or off. (default: show the setting)") var state: State?
    @OptionGroup var names: WordLanguageOption
    @OptionGroup var global: GlobalOptions

    enum State: String, ExpressibleByArgument, CaseIterable {
        case on, off
    }

    func run(_ session: Session) throws -> ExitStatus {
        _ = try session.wordLanguage(names)
        let learning = try session.switchboard().keypadLearning
        if let state { try learning.setOn(state == .on) }
        let isOn = try learning.isOn()
        return try session.respond(["learning": isOn], line: isOn ? "on" : "off")
    }
}

extension Session {
    /// Returns the language of the words for a command.
    fileprivate func wordLanguage(_ names: WordLanguageOption) throws -> String {
        try Switchboard.wordList(names.language, otherwise: displayLanguage).language
    }
}
