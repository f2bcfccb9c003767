import ArgumentParser
import SwitchboardKit

struct ContactsFind: Command {
    static let configuration = CommandConfiguration(
        commandName: "find",
        abstract: "Find people by text: name, company, number, e-mail address, note.",
        discussion:
            """
            Several words in any order; the last may be unfinished. For example: switchboard contacts find carmen d

            In ~/.muttrc: set query_command = "switchboard contacts find --format mutt -- %s"
            """)

    @Argument(help: ArgumentHelp("What to look for.", valueName: "text"))
    var text: [String] = []

    @OptionGroup var lines: LineOptions
    @OptionGroup var batch: BatchOptions
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        try session.findContacts(text, isBatch: batch.batch, as: lines.format)
    }
}

struct ContactsDial: Command {
    static let configuration = CommandConfiguration(
        commandName: "dial",
        abstract: "Find people by the keys of a telephone: names in any alphabet, and numbers.",
        discussion: """
            2 is abc and also the letters that other alphabets have on it; 0 is the gap between words, 1 punctuation, and both may be left out. + begins an \
            international number. For example: switchboard contacts dial 253
            """)

    @Argument(help: ArgumentHelp("The keys.", valueName: "digits"))
    var digits: [String] = []

    @OptionGroup var lines: LineOptions
    @OptionGroup var batch: BatchOptions
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        try session.dialContacts(digits, isBatch: batch.batch, as: lines.format)
    }
}
