import ArgumentParser
import SwitchboardKeypad
import SwitchboardKeypadLearning
import SwitchboardKit

/// A word that was learnt or forgotten.
private struct WordResponse: Encodable {
    let id: String
    let word: String
    let language: String
    var digits: String?
}

struct KeypadLearn: Command {
    static let configuration = CommandConfiguration(
        commandName: "learn",
        abstract: "Add a word; it comes first among those of its keys.",
        discussion: "For example: switchboard keypad learn Zyxel")

    @Argument(help: "The word.") var word: String
    @OptionGroup var names: WordLanguageOption
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        let language = try session.wordLanguage(names)
        let keys = try session.switchboard().keypadLearning.add(word, language: language)
        let digits = String(decoding: keys, as: UTF8.self)
        let answer = WordResponse(id: word, word: word, language: language, digits: digits)
        try session.answer(answer) { session.diagnostics.note("\(word) is \(digits)") }
        return .done
    }
}

struct KeypadForget: Command {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Forget a word that was learnt, or with --all everything.",
        discussion: "A word of the lists stays, in its old place.")

    @Argument(help: "The word.") var word: String?
    @Flag(help: "Forget all words of all languages, and what followed what.") var all = false
    @OptionGroup var names: WordLanguageOption
    @OptionGroup var global: GlobalOptions

    private struct All: Encodable {
        let ids: [String]
    }

    func run(_ session: Session) throws -> ExitStatus {
        guard (word == nil) == all else { throw Fault.usage("give either the WORD to forget or --all") }
        let language = try session.wordLanguage(names)
        let learning = try session.switchboard().keypadLearning
        guard let word else {
            try learning.forgetAll()
            try session.answer(All(ids: [])) { session.diagnostics.note("all is forgotten") }
            return .done
        }
        try learning.forget(word, language: language)
        try session.answer(WordResponse(id: word, word: word, language: language)) {
            session.diagnostics.note("\(word) is forgotten")
        }
        return .done
    }
}

struct KeypadLearningCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "learning",
        abstract: "Whether what is typed is learnt; on or off sets it.",
        discussion: "What was learnt stays when it is turned off; 'keypad forget --all' forgets it.")

    @Argument(help: "on or off; nothing to ask.") var state: State?
    @OptionGroup var names: WordLanguageOption
    @OptionGroup var global: GlobalOptions

    enum State: String, ExpressibleByArgument, CaseIterable {
        case on, off
    }

    private struct Answer: Encodable {
        let learning: Bool
    }

    func run(_ session: Session) throws -> ExitStatus {
        _ = try session.wordLanguage(names)
        let learning = try session.switchboard().keypadLearning
        if let state { try learning.setOn(state == .on) }
        let isOn = try learning.isOn()
        try session.answer(Answer(learning: isOn)) { session.output.write(isOn ? "on\n" : "off\n") }
        return .done
    }
}

extension Session {
    /// The language of the words of a command.
    fileprivate func wordLanguage(_ names: WordLanguageOption) throws -> String {
        try Switchboard.wordList(names.language, otherwise: displayLanguage).language
    }
}
