import ArgumentParser

struct ProspectsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prospects",
        abstract: "Manage people met at events: scan badges, keep notes, set reminders.",
        subcommands: [
            ProspectsList.self, ProspectsFind.self, ProspectsShow.self, ProspectsScan.self,
            ProspectsAdd.self, ProspectsEdit.self,
            ProspectsRemove.self, ProspectsContacted.self, ProspectsRemind.self, ProspectsAddToContacts.self,
            ProspectsExport.self,
            ProspectsMe.self,
        ])
}
