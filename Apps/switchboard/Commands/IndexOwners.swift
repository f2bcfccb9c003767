import ArgumentParser
import SwitchboardKit
import SwitchboardSearchableIndex

struct IndexOwners: ParsableCommand {
    static let configuration = CommandConfiguration(
        "owners", "Manage the programs that open the items of a domain.",
        subcommands: commands([List.self, Set.self, Remove.self]))

    struct List: Command {
        static let configuration = CommandConfiguration("list", "List the owners by domain.")

        @OptionGroup var index: IndexOption

        var isReading: Bool { true }

        func run(_ session: Session) throws -> ExitStatus {
            let owners = try session.switchboard().items(index.index).owners()
            try session.respond(owners) { owner in
                [
                    Cell(owner.domain, .strong), Cell(owner.application),
                    Cell(
                        [owner.action.map { "action \($0)" }, owner.urlTemplate].compactMap(\.self).joined(
                            separator: ", ")),
                ]
            }
            if owners.isEmpty {
                session.diagnostics.note(
                    "no domain has an owner; set one with 'switchboard index owners set DOMAIN APPLICATION'")
            }
            return .done
        }
    }

    struct Set: Command {
        static let configuration = CommandConfiguration(
            "set", "Make a program open the items of a domain and of its subdomains.",
            discussion: """
                The program gets an item as the URL of the template, or else as the item's own URL; with --action, it gets the \
                identifier and the activity over D-Bus. For example:

                  switchboard index owners set notes org.example.Notes --url 'notes://open/{id}'
                """)

        @Argument(help: "The domain.") var domain: String
        @Argument(help: "The identifier of the program's desktop entry, such as org.example.Notes.")
        var application: String
        @Option("The URL of an item, with {id} for its identifier.", "template", parsing: .next) var url: String?
        @Option("The action of the program that opens an item.", "name", parsing: .next) var action: String?
        @OptionGroup var index: IndexOption

        func run(_ session: Session) throws -> ExitStatus {
            let owner = try ItemOwner(domain: domain, application: application, urlTemplate: url, action: action)
            try session.switchboard().items(index.index).setOwner(owner)
            return try session.respond(owner, note: "\(owner.application) opens the items of \(owner.domain)")
        }
    }

    struct Remove: Command {
        static let configuration = CommandConfiguration("remove", "Remove the owner of a domain.")

        @Argument(help: "The domain.") var domain: String
        @OptionGroup var index: IndexOption

        func run(_ session: Session) throws -> ExitStatus {
            try session.switchboard().items(index.index).removeOwner(ofDomain: domain)
            return try session.respond("removed", ids: [domain])
        }
    }
}
