import ArgumentParser
import SwitchboardKeypad
import SwitchboardKit

struct ContactsFind: Command {
    static let configuration = CommandConfiguration(
        commandName: "find",
        abstract: "Find contacts by name, company, phone number, e-mail address or note.",
        discussion:
            """
            Words may be in any order; the last one may be incomplete. For example: switchboard contacts find carmen d

            In ~/.muttrc: set query_command = "switchboard contacts find --format mutt -- %s"
            """)

    @Argument(help: ArgumentHelp("The search text.", valueName: "text"))
    var text: [String] = []

    @OptionGroup var lines: LineOptions
    @OptionGroup var batch: BatchOptions
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        try session.searchContacts(try batch.query(text, named: "TEXT"), isKeypad: false, as: lines.format)
    }
}

struct ContactsDial: Command {
    static let configuration = CommandConfiguration(
        commandName: "dial",
        abstract: "Find contacts by keypad: names in any script, and phone numbers.",
        discussion: """
            2 stands for abc and for the letters of other scripts on that key. 0 is a space and 1 punctuation; both are optional. \
            + starts an international number. For example: switchboard contacts dial 253
            """)

    @Argument(help: ArgumentHelp("The keys to press.", valueName: "digits"))
    var digits: [String] = []

    @OptionGroup var lines: LineOptions
    @OptionGroup var batch: BatchOptions
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        try session.searchContacts(try batch.query(digits, named: "DIGITS"), isKeypad: true, as: lines.format)
    }
}

extension Session {
    fileprivate func searchContacts(_ query: String?, isKeypad: Bool, as lines: LineFormat?) throws -> ExitStatus {
        let switchboard = try switchboard()
        func contacts(_ query: String, limit: Int) throws -> SearchResponse {
            try switchboard.searchContacts(SearchInput(query, keypad: isKeypad), limit: limit)
        }
        if let lines { return try writeLines(lines, query, contacts) }
        return try search(query) { try contacts($0, limit: searchLimit) }
    }
}
