import ArgumentParser
import Foundation
import SwitchboardContacts
import SwitchboardKit
import SwitchboardProspects

struct OpenCommand: Command {
    static let configuration = CommandConfiguration(
        "open", "Open an object or an address on the desktop; without a desktop, print the address.",
        discussion: """
            An item is opened by its owner ('index owners'), else on its page; of other objects, the details are opened. An \
            address begins with https:, http:, mailto: or tel:, or is one that 'find --open' prints. For example:

              switchboard open LHR
              switchboard open mailto:ana@example.org
            """)

    @Argument(help: "The identifier or name of an object, or an address.") var id: String

    private struct Response: Encodable {
        let open: String
        let result: SearchResult?
    }

    func run(_ session: Session) throws -> ExitStatus {
        let scheme = id.split(separator: ":", maxSplits: 1).first.map { $0.lowercased() } ?? ""
        if ["https", "http", "mailto", "tel"].contains(scheme), id.contains(":") {
            return try respond(Desktop.open(id), id, nil, session)
        }
        let switchboard = try session.switchboard()
        if let link = DeepLink(url: id), [.activity, .find].contains(link.kind) {
            return try open(switchboard.opening(at: link), nil, session)
        }
        guard let result = try result(switchboard) else {
            throw SwitchboardError(
                code: "notFound", message: "nothing has the identifier or name “\(id)”", status: .nothingFound)
        }
        try switchboard.beginShowing(result)
        defer { session.compact() }
        return try open(switchboard.opening(of: result), result, session)
    }

    private func result(_ switchboard: Switchboard) throws -> SearchResult? {
        if let link = DeepLink(url: id) { return try switchboard.result(at: link) }
        let links = [
            DeepLink(kind: .contact, id: try switchboard.contactIdentifier(id)),
            DeepLink(kind: .prospect, id: try switchboard.prospectIdentifier(id)), DeepLink(kind: .item, id: id),
            DeepLink(kind: .airport, id: id.uppercased()),
        ]
        for link in links {
            if let result = try? switchboard.result(at: link) { return result }
        }
        return nil
    }

    private func open(_ opening: Opening, _ result: SearchResult?, _ session: Session) throws -> ExitStatus {
        try respond(Desktop.open(opening), opening.address, result, session)
    }

    private func respond(
        _ outcome: Desktop.Outcome, _ address: String, _ result: SearchResult?, _ session: Session
    ) throws -> ExitStatus {
        try session.respond(Response(open: address, result: result)) {
            if outcome == .opened {
                session.diagnostics.note("opened \(address)")
            } else {
                session.output.write(address + "\n")
            }
        }
    }
}
