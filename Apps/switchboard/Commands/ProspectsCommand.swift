import ArgumentParser

struct ProspectsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prospects",
        abstract: "The people you have met: scanned, listed, ticked off, reminded of.",
        subcommands: [
            ProspectsList.self, ProspectsFind.self, ProspectsShow.self, ProspectsScan.self,
            ProspectsAdd.self, ProspectsEdit.self,
            ProspectsRemove.self, ProspectsContacted.self, ProspectsRemind.self, ProspectsAddToContacts.self,
            ProspectsExport.self,
            ProspectsMe.self,
        ])
}
