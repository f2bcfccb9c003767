import ArgumentParser
import SwitchboardKit
import SwitchboardSearchableIndex

struct IndexCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "index",
        abstract: "Manage and search the index of items from other programs.",
        subcommands: [
            IndexPut.self, IndexGet.self, IndexDelete.self, IndexList.self, IndexStats.self, IndexSearch.self,
            IndexSuggest.self, IndexQuery.self, IndexMarkup.self, IndexDeclare.self,
        ])
}

/// The option of the item commands that selects an index.
struct IndexOption: ParsableArguments {
    @Option(help: ArgumentHelp("The name of the index.", valueName: "name"))
    var index = SearchableIndex.defaultName
}
