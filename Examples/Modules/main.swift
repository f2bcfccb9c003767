// The short examples of the modules' front pages, one file for each module. `swift run module-examples` runs them all, so that what the
// pages show compiles and does what is said; Scripts/check-docs compares the pages with these files.

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
    ("Accounts", people),
    ("SwitchboardKit", switchboard),
    ("SwitchboardTesting", { _ in try switchboardTesting() }),
]
for (module, run) in examples {
    print("— \(module)")
    try run(try TemporaryStore())
}
