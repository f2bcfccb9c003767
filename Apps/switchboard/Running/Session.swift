import SwitchboardStorage
import SwitchboardKit

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What one run of the program works with: its options, its streams, and the switchboard, made when first needed.
final class Session {
    let options: Options
    let output = StandardOutput()
    let diagnostics: Diagnostics
    let progress: Progress
    /// How output for people is dressed.
    let style: Style
    /// Overrides for the switchboard that single commands have.
    var region: String?
    var language: String?
    var createsDatabase = true
    /// The server of `--remote`.
    var remote: String?
    /// Whether the answer has to do with the popular list, which is then refreshed behind it if it is old.
    var usesPopularList = false

    private let surroundings: ProcessEnvironment
    private var made: Switchboard?
    private var madeServer: AirportServer?
    private var toldOfServer: Fault?

    init(_ options: Options) {
        self.options = options
        // Those that are looked at: reading all would take longer.
        var variables: [String: String] = [:]
        for name in ProcessEnvironment.variables + Style.variables {
            if let value = getenv(name) { variables[name] = String(cString: value) }
        }
        surroundings = ProcessEnvironment(variables)
        diagnostics = Diagnostics(isJSON: options.json, isQuiet: options.quiet, isVerbose: options.verbose)
        style = Style(
            isTerminal: StandardStreams.isTerminal(STDOUT_FILENO), variables: variables, isPlain: options.noColor)
        progress = Progress(isShown: StandardStreams.isTerminal(STDERR_FILENO) && !options.quiet && !options.json)
    }

    /// The file of the database.
    func database() throws -> String { try options.database ?? surroundings.database() }

    /// The switchboard of this run.
    func switchboard() throws -> Switchboard {
        if let made { return made }
        let settings = Settings(
            database: try database(),
            region: try region.map { try ProcessEnvironment.region($0, from: "--region") } ?? surroundings.region(),
            language: displayLanguage, endsSoon: true,
            storageOptions: StorageOptions(createsIfMissing: createsDatabase, fallsBackToReading: true))
        diagnostics.detail(
            "database \(settings.database), region \(settings.region ?? "none"), language \(settings.language)")
        let switchboard = Switchboard(settings)
        made = switchboard
        return switchboard
    }

    /// The server to ask for further airports; nil if none is named.
    ///
    /// - Throws: a fault if what is named is no server.
    func server() throws -> AirportServer? {
        if let madeServer { return madeServer }
        guard let address = remote ?? surroundings.remote else { return nil }
        do {
            madeServer = try AirportServer(address)
        } catch {
            var fault = Fault(error)
            fault.message = "\(remote == nil ? "SWITCHBOARD_REMOTE" : "--remote"): \(fault.message)"
            throw fault
        }
        return madeServer
    }

    /// Says, once for the same reason, that the rows of the server are missing.
    func tell(ofServer fault: Fault?) {
        guard let fault, fault != toldOfServer else { return }
        toldOfServer = fault
        var told = fault
        told.message += "; the rows are those of this program alone"
        diagnostics.report(told)
    }

    /// Begins to refresh the popular list in a process of its own, if a server is configured and the list is old.
    ///
    /// For the end of a run: whoever waits for the answer does not wait for this.
    func refreshPopularList() {
        guard usesPopularList, surroundings.remote != nil, let made, (try? made.storage.isReadOnly) == false,
            (try? made.isPopularDue()) == true
        else { return }
        diagnostics.detail("refreshing the list of popular airports in the background")
        BackgroundProcess.start(["airports", "update", "--if-due", "--quiet", "--database", made.settings.database])
    }

    /// After a change that people have been told of: makes ready what later searches need. It is no error if it cannot.
    func compact() { try? made?.compact() }

    /// Closes the database and keeps all else for the process to give back when it ends, which is quicker.
    func end() {
        made?.close()
        _ = Unmanaged.passRetained(self)
    }

    /// The language of airports' names.
    var displayLanguage: String { language ?? surroundings.language ?? "en" }

    /// How many rows a search shows.
    var searchLimit: Int { options.limit ?? 10 }

    /// How many rows a list shows.
    var listLimit: Int { options.limit ?? 0 }

    /// Writes an answer as JSON, or as `text` shows it to a person.
    func answer(_ value: some Encodable, or text: () -> Void) throws {
        if options.json {
            output.write(try OrderedJSON.bytes(value))
            output.write("\n")
        } else {
            text()
        }
    }

    /// Whether there is somebody to ask.
    var isInteractive: Bool {
        StandardStreams.isTerminal(STDIN_FILENO) && StandardStreams.isTerminal(STDERR_FILENO) && !options.json
    }
}
