import ArgumentParser

struct ContactsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "contacts",
        abstract: "Manage and search the address book.",
        subcommands: [
            ContactsFind.self, ContactsDial.self, ContactsList.self, ContactsCount.self, ContactsShow.self,
            ContactsAdd.self, ContactsEdit.self, ContactsRemove.self, ContactsFavourite.self, ContactsCall.self,
            ContactsGroups.self, ContactsBirthdays.self, ContactsPhoto.self,
            ContactsDuplicates.self, ContactsMerge.self, ContactsImport.self, ContactsExport.self,
            ContactsLink.self, ContactsLinks.self, ContactsSync.self, ContactsUnlink.self,
        ])
}
