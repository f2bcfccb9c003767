import SwitchboardKit

/// The switchboard and the settings of the desktop's search, which are read on each use to apply changes at once.
struct Backend: Sendable {
    let switchboard: Switchboard
    let settingsFile: String

    func settings() throws -> DesktopSettings { try DesktopSettings(file: settingsFile) }

    /// Returns the results of a search, ranked as on the command line.
    func search(_ text: String, isCancelled: @escaping Switchboard.CancellationCheck) throws -> [SearchResult] {
        try switchboard.searchForDesktop(text, settings: settings(), isCancelled: isCancelled)
    }

    /// Opens the result with an identifier.
    ///
    /// - Throws: ``SwitchboardError`` if it does not exist or cannot be opened.
    func open(_ id: String, for text: String, _ action: DesktopAction? = nil, activationToken: String? = nil) throws {
        guard let result = try switchboard.desktopResult(id, settings: settings()) else {
            throw SwitchboardError(
                code: "notFound", message: "“\(id)” is not a result of a search", status: .nothingFound)
        }
        let opening = try switchboard.openingChosen(result, for: text)
        guard let action else {
            return try check(Desktop.open(opening, activationToken: activationToken), of: opening.address)
        }
        guard let address = DesktopRow(result).actions[action] else {
            throw SwitchboardError.usage("\(result.title) has no address for “\(action.label)”")
        }
        try open(address: address, activationToken)
    }

    /// Opens an address in the user's default program for it.
    func open(address: String, _ activationToken: String? = nil) throws {
        try check(Desktop.open(address, activationToken: activationToken), of: address)
    }

    private func check(_ outcome: Desktop.Outcome, of address: String) throws {
        switch outcome {
        case .opened: return
        case .noDesktop:
            throw SwitchboardError(
                code: "noDesktop", message: "cannot open \(address) without a graphical desktop", status: .unavailable)
        case .failed:
            throw SwitchboardError(
                code: "notOpened", message: "no program opens \(address); install one, such as switchboard-tui",
                status: .unavailable)
        }
    }
}
