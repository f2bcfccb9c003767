import ArgumentParser
import SwitchboardSearchableIndex
import SwitchboardKit

struct IndexCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "index",
        abstract: "What apps hold, made findable: items with attributes.",
        subcommands: [
            IndexPut.self, IndexGet.self, IndexDelete.self, IndexList.self, IndexStats.self, IndexSearch.self,
            IndexSuggest.self, IndexQuery.self, IndexMarkup.self, IndexDeclare.self,
        ])
}

/// The option of every command about items to name another index.
struct IndexOption: ParsableArguments {
    @Option(help: ArgumentHelp("Another index than the usual one.", valueName: "name"))
    var index = SearchableIndex.defaultName
}
