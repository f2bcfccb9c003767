// The examples on the front pages of the modules, one file per module. Scripts/check-docs compares them with the pages.
// Run them with `swift run module-examples`.

import SwitchboardTesting

let examples: [(module: String, run: (TemporaryStore) throws -> Void)] = [
    ("TextNormalization", { _ in try textFolding() }),
    ("SearchEngine", { _ in try lookupEngine() }),
    ("Keypad", { _ in try keypadInput() }),
    ("KeypadWords", { _ in try keypadWords() }),
    ("KeypadLearning", keypadLearning),
    ("VCard", { _ in try vCardFormat() }),
    ("TerminalText", { _ in terminalText() }),
    ("Storage", storage),
    ("IncrementalIndex", incrementalIndex),
    ("Contacts", contactBook),
    ("Prospects", prospects),
    ("Badges", { _ in try badges() }),
    ("Reminders", reminders),
    ("Airports", { _ in try airports() }),
    ("SearchableIndex", searchableIndex),
    ("WebMarkup", { _ in try webMarkup() }),
    ("WebFetch", { _ in try webFetch() }),
    ("Accounts", accounts),
    ("SwitchboardKit", switchboard),
    ("SwitchboardTesting", { _ in try switchboardTesting() }),
]
for (module, run) in examples {
    print("— \(module)")
    try run(try TemporaryStore())
}
