import Foundation
import SwitchboardContacts
import SwitchboardJSON
import SwitchboardKit
import SwitchboardProspects
import SwitchboardStorage

/// The state of one run of the program: options, streams, and the switchboard, which is opened on first use.
final class Session {
    let options: GlobalOptions
    let output = StandardOutput()
    let diagnostics: Diagnostics
    let progress: Progress
    let style: Style
    /// The region set by a command before the switchboard is opened; overrides the environment.
    var region: String?
    var language: String?
    var createsDatabase = true
    /// `true` if a missing database is treated as empty instead of being created.
    var isReading = false
    var remote: String?
    /// The columns of contacts in tables; `nil` for the usual ones.
    var columns: [ContactColumn]?
    /// Returns the message that nothing was found for a query.
    var nothingFound: (String) -> String = { "nothing matches “\($0)”" }
    /// The command that reads a query of digits as keys, if that is not what the command does.
    var keypadCommand: String?
    /// `true` if searches explain why rows match.
    var isExplaining = false
    /// `true` if the command uses the popular list, which is then refreshed in the background if it is old.
    var usesPopularList = false

    private let environment: ProcessEnvironment
    private var cachedSwitchboard: Switchboard?
    private var cachedServer: AirportServer?
    private var reportedServerError: SwitchboardError?

    init(_ options: GlobalOptions) {
        self.options = options
        environment = .current
        diagnostics = Diagnostics(isJSON: options.json, isQuiet: options.quiet, isVerbose: options.verbose)
        style = Style(
            isTerminal: StandardStreams.isTerminal(STDOUT_FILENO), environment, isPlain: options.noColor)
        progress = Progress(isShown: StandardStreams.isTerminal(STDERR_FILENO) && !options.quiet && !options.json)
    }

    func database() throws -> String { try options.database ?? environment.database() }

    /// Returns the path of a user settings file.
    func settingsFile(_ name: String) throws -> String { try environment.settingsFile(name) }

    /// `true` if the service of the desktop's search is installed.
    var isRegisteredOnDesktop: Bool { Desktop.isRegistered(in: environment.dataFolders) }

    func switchboard() throws -> Switchboard {
        if let cachedSwitchboard { return cachedSwitchboard }
        var settings = Settings(
            database: try database(),
            region: try region.map { try ProcessEnvironment.region($0, from: "--region") } ?? environment.region(),
            language: displayLanguage, isShortLived: true,
            storageOptions: StorageOptions(createsIfMissing: createsDatabase, fallsBackToReading: true))
        settings.missingFileIsEmpty = isReading
        diagnostics.detail(
            "database \(settings.database), region \(settings.region ?? "none"), language \(settings.language)")
        let switchboard = Switchboard(settings)
        cachedSwitchboard = switchboard
        return switchboard
    }

    /// Returns the identifier of the contact that an argument refers to.
    func contact(_ argument: String) throws -> String { try switchboard().contactIdentifier(argument) }

    /// Returns the identifier of the prospect that an argument refers to.
    func prospect(_ argument: String) throws -> String { try switchboard().prospectIdentifier(argument) }

    /// Reports that a list is empty, and names the command that fills it.
    func noteEmpty(_ list: String, _ remedy: String) {
        let isMissing = (try? database()).map { !FileManager.default.fileExists(atPath: $0) } ?? false
        let reason = isMissing ? "the database \((try? database()) ?? "") does not exist yet" : "\(list) is empty"
        diagnostics.note("\(reason); \(remedy)")
    }

    /// Returns the server for additional airports, or `nil` if none is configured.
    func server() throws -> AirportServer? {
        if let cachedServer { return cachedServer }
        cachedServer = try environment.server(remote)
        return cachedServer
    }

    /// Reports that the server's rows are missing, once per error.
    private func report(serverError error: SwitchboardError?) {
        guard var error, error != reportedServerError else { return }
        reportedServerError = error
        error.message += "; showing local results only"
        diagnostics.report(error)
    }

    /// Refreshes the popular list in a background process if a server is configured and the list is old.
    ///
    /// Called at the end of a run, after the output is flushed.
    func refreshPopularList() {
        guard usesPopularList, environment.remote != nil, let switchboard = cachedSwitchboard,
            (try? switchboard.storage.isReadOnly) == false, (try? switchboard.isPopularDue()) == true
        else { return }
        diagnostics.detail("refreshing the list of popular airports in the background")
        BackgroundProcess.start([
            "airports", "update", "--if-due", "--quiet", "--database", switchboard.settings.database,
        ])
    }

    /// Compacts the search indexes after a change to speed up later searches. Errors are ignored.
    func compact() { try? cachedSwitchboard?.compact() }

    /// Builds the search index after an import; otherwise the next search would build it. Errors are ignored.
    ///
    /// - Parameters:
    ///   - count: The number of imported objects. If there are few, the next search indexes them itself.
    ///   - warmUp: Opens or builds the index.
    func prepareSearch(after count: Int, _ warmUp: () throws -> Void) {
        try? output.flush()
        compact()
        if count >= 1_000 { try? progress.explaining("Building the search index …", warmUp) }
    }

    /// Closes the database.
    func end() { cachedSwitchboard?.close() }

    /// The language of airport names.
    var displayLanguage: String { language ?? environment.language ?? "en" }

    var searchLimit: Int { options.limit ?? 10 }

    /// The maximum number of rows of a list; 0 means all.
    var listLimit: Int { options.limit ?? 0 }

    /// `true` if the user can be asked questions.
    var isInteractive: Bool {
        StandardStreams.isTerminal(STDIN_FILENO) && StandardStreams.isTerminal(STDERR_FILENO) && !options.json
    }

    // MARK: - Searches

    /// A function that adds rows from a server to a response.
    typealias Completion = (SearchResponse) throws -> CompletedResponse

    /// The maximum number of results to count.
    private static let largestCount = 1_000

    /// Runs a search command for one query, or for the queries on standard input if `query` is `nil`.
    ///
    /// - Parameters:
    ///   - number: The number of the result to open. Its address is printed instead of the results.
    ///   - completion: Adds rows from a server.
    ///   - respond: Returns the response to a query, with up to the given number of results.
    func search(
        _ query: String?, opening number: Int? = nil, completing completion: Completion? = nil,
        _ respond: (String, Int) throws -> SearchResponse
    ) throws -> ExitStatus {
        func completed(_ response: SearchResponse) throws -> SearchResponse {
            var response = response
            if let completion {
                let completed = try progress.explaining("Waiting for the server …") { try completion(response) }
                report(serverError: completed.error)
                response = completed.response
            }
            return isExplaining ? response.explained() : response
        }

        guard let query else {
            if number != nil {
                throw SwitchboardError.usage("--open takes one query and cannot be combined with --batch")
            }
            return try runBatch { try completed(try respond($0, searchLimit)) }
        }
        let local = try progress.explaining("Building the search index; later searches will be fast …") {
            try respond(query, searchLimit)
        }
        let found = try completed(local)
        if let number {
            let opened = try switchboard().open(number, of: found)
            defer { compact() }
            return try self.respond(opened, line: opened.open)
        }
        try self.respond(found) {
            show(found.results, hasHeader: true)
            show(found.facets)
        }
        diagnostics.detail("\(found.results.count) results in \(found.elapsedMicroseconds) µs")
        if found.results.count == searchLimit {
            let most = Self.largestCount
            try noteCut(shown: found.results.count, of: try respond(query, most).results.count, orMore: most)
        }
        if !found.results.isEmpty { return .done }
        let isDigits = query.contains(where: \.isNumber) && query.allSatisfy { $0.isNumber || $0 == " " }
        let hint = keypadCommand.flatMap { isDigits ? "; 'switchboard \($0) \(query)' reads the digits as keys" : nil }
        diagnostics.note(nothingFound(query) + (hint ?? ""))
        return .nothingFound
    }

    // MARK: - Responses

    /// Writes a response as JSON, or calls `text` to print it as text. Returns ``ExitStatus/done``.
    @discardableResult
    func respond(_ value: some Encodable, or text: () -> Void) throws -> ExitStatus {
        if options.json {
            output.write(try OrderedJSON.bytes(value))
            output.write("\n")
        } else {
            text()
        }
        return .done
    }

    /// Writes a response as JSON, or a line of text.
    @discardableResult
    func respond(_ value: some Encodable, line: String) throws -> ExitStatus {
        try respond(value) { output.write(line + "\n") }
    }

    /// Writes a response as JSON, or a note on standard error.
    @discardableResult
    func respond(_ value: some Encodable, note: String) throws -> ExitStatus {
        try respond(value) { diagnostics.note(note) }
    }

    /// Writes rows as JSON, or as a table.
    @discardableResult
    func respond<Row: Encodable & Sendable>(_ rows: [Row], cells: (Row) -> [Cell]) throws -> ExitStatus {
        try respond(ListResponse(rows)) { showTable(rows.map(cells)) }
    }

    /// Prints an object after a change.
    @discardableResult
    func respond(changed object: some Changeable) throws -> ExitStatus {
        try respond(object.changeResponse) { show([object.row]) }
    }

    /// Prints objects after a change. The JSON response contains one object in full, or the identifiers of several.
    @discardableResult
    func respond(changed objects: [some Changeable]) throws -> ExitStatus {
        if objects.count == 1 { return try respond(changed: objects[0]) }
        let rows = objects.map(\.row)
        return try respond(["ids": rows.map(\.id)]) { show(rows) }
    }

    /// Prints the identifiers of objects that no longer exist.
    @discardableResult
    func respond(_ action: String, ids: [String]) throws -> ExitStatus {
        try respond(["ids": ids], note: "\(action) \(ids.count == 1 ? ids[0] : "\(ids.count)")")
    }

    /// Names removed objects, and prints their identifiers and the command that restores them.
    @discardableResult
    func respondRemoved(_ group: String, _ ids: [String], names: [String]) throws -> ExitStatus {
        let restoring = "'switchboard \(group) remove --undo \(ids.joined(separator: " "))' restores"
        let shown = names.prefix(5).joined(separator: ", ") + (names.count > 5 ? " and \(names.count - 5) more" : "")
        return try respond(
            ["ids": ids],
            note: ids.count == 1
                ? "removed \(shown) (\(ids[0])); \(restoring) it" : "removed \(shown); \(restoring) them")
    }

    /// Prints a note with the new path of a replaced file.
    func noteEarlier(_ path: String?) {
        if let path { diagnostics.note("the earlier file is now \(path)") }
    }

    /// Returns the rows up to the list limit, and reports if rows were cut.
    func limited<Row>(_ rows: [Row]) throws -> [Row] {
        guard listLimit > 0, rows.count > listLimit else { return rows }
        try noteCut(shown: listLimit, of: rows.count)
        return Array(rows.prefix(listLimit))
    }

    /// Reports in a terminal that the limit cut a list or the results of a search: "10 of 37 shown".
    ///
    /// - Parameters:
    ///   - total: The number of rows without a limit, computed only if it is shown.
    ///   - bound: The number at which counting ends.
    func noteCut(shown: Int, of total: @autoclosure () throws -> Int, orMore bound: Int = .max) throws {
        guard progress.isShown, shown > 0 else { return }
        try output.flush()
        let total = try total()
        guard total > shown else { return }
        diagnostics.note("\(shown) of \(total)\(total >= bound ? " or more" : "") shown; use --limit for more")
    }
}

/// An object that commands can change.
protocol Changeable {
    var changeResponse: ChangeResponse { get }
    /// The row to print after a change.
    var row: SearchResult { get }
}

extension Contact: Changeable {
    var changeResponse: ChangeResponse { ChangeResponse(self) }
    var row: SearchResult { SearchResult(self) }
}

extension Prospect: Changeable {
    var changeResponse: ChangeResponse { ChangeResponse(self) }
    var row: SearchResult { SearchResult(self) }
}

extension Session {
    /// Checks that access is granted. In a terminal, asks the user if access was neither granted nor denied before.
    ///
    /// If the user does not answer, access is refused this time but not recorded as denied.
    func requireAccess(_ subject: AccessSubject) throws {
        let storage = try switchboard().storage
        if isInteractive, try storage.status(of: subject) == .notDetermined,
            let isAllowed = ask("\(subject.defaultPurpose)\nAllow \(subject.rawValue)? [y/n] ")
        {
            try storage.setStatus(isAllowed ? .authorized : .denied, of: subject)
        }
        try storage.requireAccess(subject)
    }

    /// Asks a yes-or-no question and returns the answer, or `nil` if there is none.
    func ask(_ question: String) -> Bool? {
        progress.clear()
        for _ in 0..<3 {
            diagnostics.ask(question)
            guard let answer = readLine()?.lowercased().split(separator: " ").first else { return nil }
            if ["y", "yes"].contains(answer) { return true }
            if ["n", "no"].contains(answer) { return false }
        }
        return nil
    }
}
