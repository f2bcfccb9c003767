// The short examples of the modules' front pages, one file for each module. `swift run module-examples` runs them all, so that what the
// pages show compiles and does what is said; Scripts/check-docs compares the pages with these files.

import SwitchboardTesting

let examples: [(module: String, run: (TemporaryStore) throws -> Void)] = [
    ("TextFolding", { _ in try textFolding() }),
    ("LookupEngine", { _ in try lookupEngine() }),
    ("KeypadInput", { _ in try keypadInput() }),
    ("KeypadWords", { _ in try keypadWords() }),
    ("KeypadLearning", keypadLearning),
    ("VCardFormat", { _ in try vCardFormat() }),
    ("TerminalText", { _ in terminalText() }),
    ("Storage", storage),
    ("RecordLookup", recordLookup),
    ("ContactBook", contactBook),
    ("Prospects", prospects),
    ("Badges", { _ in try badges() }),
    ("Reminders", reminders),
    ("Airports", { _ in try airports() }),
    ("SearchableIndex", searchableIndex),
    ("WebMarkup", { _ in try webMarkup() }),
    ("WebFetch", { _ in try webFetch() }),
    ("People", people),
    ("Switchboard", switchboard),
    ("SwitchboardTesting", { _ in try switchboardTesting() }),
]
for (module, run) in examples {
    print("— \(module)")
    try run(try TemporaryStore())
}
