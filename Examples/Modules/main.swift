// The examples on the front pages of the modules, one file per module. Scripts/check/docs compares them with the pages.
// Run them with `swift run module-examples`.

import SwitchboardTesting

let examples: [(module: String, run: (TemporaryStore) throws -> Void)] = [
    ("SwitchboardErrors", { _ in errors() }),
    ("SwitchboardJSON", { _ in try json() }),
    ("SwitchboardTextNormalization", { _ in try textFolding() }),
    ("SwitchboardSearchEngine", { _ in try lookupEngine() }),
    ("SwitchboardKeypad", { _ in try keypadInput() }),
    ("SwitchboardKeypadWords", { _ in try keypadWords() }),
    ("SwitchboardKeypadLearning", keypadLearning),
    ("SwitchboardSearchChoices", searchChoices),
    ("SwitchboardVCard", { _ in try vCardFormat() }),
    ("SwitchboardTerminalText", { _ in terminalText() }),
    ("SwitchboardStorage", storage),
    ("SwitchboardIncrementalIndex", incrementalIndex),
    ("SwitchboardPeopleSearch", peopleSearch),
    ("SwitchboardContacts", contactBook),
    ("SwitchboardContactSync", contactSync),
    ("SwitchboardProspects", prospects),
    ("SwitchboardBadges", { _ in try badges() }),
    ("SwitchboardReminders", reminders),
    ("SwitchboardAirports", { _ in try airports() }),
    ("SwitchboardSearchableIndex", searchableIndex),
    ("SwitchboardWebMarkup", { _ in try webMarkup() }),
    ("SwitchboardWebFetch", { _ in try webFetch() }),
    ("SwitchboardAccounts", accounts),
    ("SwitchboardKit", switchboard),
    ("SwitchboardTesting", { _ in try switchboardTesting() }),
]
for (module, run) in examples {
    print("— \(module)")
    try run(try TemporaryStore())
}
