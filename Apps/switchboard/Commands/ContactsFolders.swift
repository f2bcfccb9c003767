import ArgumentParser
import SwitchboardContacts
import SwitchboardStorage
import SwitchboardKit
import Synchronization

struct ContactsLink: Command {
    static let configuration = CommandConfiguration(
        commandName: "link",
        abstract: "Follow a folder of vCards, one a file, as khard and vdirsyncer keep it.",
        discussion: """
            The folder stays where it is. 'contacts sync' takes in what has changed there, and writes what has changed here into the same \
            files. People who are added later get a file in the folder that was linked first. For example:

              switchboard contacts link ~/.contacts/personal
              switchboard contacts sync --watch
            """)

    @Argument(help: "The folder; without one, the folders that are followed.", completion: .directory)
    var folder: String?
    @Flag(
        inversion: .prefixedNo,
        help: "Whether people who are added later get a file in this folder. (default: if no other folder takes them)")
    var takesNew: Bool?
    @Flag(help: "Write those into the folder who are there already and have no file in any.") var takesExisting = false
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        guard let folder else { return try session.showFolders() }
        if takesNew == false, takesExisting { throw Fault.usage("give --takes-existing or --no-takes-new, not both") }
        try session.requireAccess(.contacts)
        let book = try session.switchboard().contacts
        let linked = try book.link(folder, options: LinkOptions(takesNew: takesNew, takesExisting: takesExisting))
        return try session.sync([linked], SyncOptions())
    }
}

struct ContactsLinks: Command {
    static let configuration = CommandConfiguration(commandName: "links", abstract: "The folders that are followed.")

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus { try session.showFolders() }
}

struct ContactsSync: Command {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Bring the followed folders and the people here together.",
        discussion: """
            What one side has changed goes to the other one. Where both have changed the same differently, the file wins, what stood here \
            is kept in a further line of the card, and the answer says so. If all files are gone at once, nobody is removed.
            """)

    @Argument(help: "Which folders; all if none is named.", completion: .directory) var folders: [String] = []
    @Flag(help: "Go on, whenever something changes, until stopped.") var watch = false
    @Flag(help: "Believe that a folder without any card is meant, and remove its people here.") var forceDelete = false
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        if watch, forceDelete { throw Fault.usage("give --watch or --force-delete, not both") }
        let book = try session.switchboard().contacts
        let chosen = folders.isEmpty ? try book.folders() : try folders.map(book.folder)
        if chosen.isEmpty { throw ContactBookError.nothingLinked }
        try session.requireAccess(.contacts)
        guard watch else { return try session.sync(chosen, SyncOptions(believesEmpty: forceDelete)) }
        let paths = folders.isEmpty ? nil : chosen.map(\.path)
        let screen = FolderScreen(session)
        try waitingUntilStopped { try await book.watchFolders(paths) { screen.tell($0) } }
        return .done
    }
}

struct ContactsUnlink: Command {
    static let configuration = CommandConfiguration(
        commandName: "unlink",
        abstract: "Follow a folder no longer; its files and the people stay.")

    @Argument(help: "The folder.", completion: .directory) var folder: String
    @Flag(help: "Remove those from here who have a file in it. The files stay.") var removeContacts = false
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        let folder = try session.switchboard().contacts.unlink(folder, removingContacts: removeContacts)
        try session.answer(FolderRow(folder)) {
            session.output.write("\(folder.path) is not followed any more\n")
        }
        session.compact()
        return .done
    }
}

// MARK: - Doing and showing

extension Session {
    /// Brings folders and the book together, and shows what was done. What fails for one folder does not keep from the next.
    fileprivate func sync(_ folders: [LinkedFolder], _ options: SyncOptions) throws -> ExitStatus {
        let book = try switchboard().contacts
        let interruption = Interruption()
        let progress = progress
        var options = options
        options.isCancelled = { interruption.hasCome }
        var report = SyncReport()
        var faults: [Fault] = []
        for folder in folders {
            options.progress = { done, all in
                progress.show(
                    "\(folder.path): \(done) of \(all) files", fraction: all > 0 ? Double(done) / Double(all) : nil)
            }
            do {
                report.add(try book.sync(folder, options: options))
            } catch let error as ContactBookError where error != .cancelled && folders.count > 1 {
                faults.append(Fault(error))
            }
        }
        progress.clear()
        try answer(report) { show(report) }
        let status = tell(report, faults)
        compact()
        return status
    }

    /// Says on standard error what was left out, and gives the status for it.
    fileprivate func tell(_ report: SyncReport, _ faults: [Fault]) -> ExitStatus {
        let all = faults + report.skipped.map(Fault.init)
        // As JSON the answer has it itself; one line says that there is something.
        for fault in options.json ? Array(all.prefix(1)) : all { diagnostics.report(fault) }
        return all.contains { $0.status == .malformed } ? .malformed : all.first?.status ?? .done
    }

    fileprivate func show(_ report: SyncReport) {
        var text = "added \(report.added), updated \(report.updated), removed \(report.removed), "
        text += "unchanged \(report.unchanged); files written \(report.written), deleted \(report.deleted)"
        if !report.skipped.isEmpty { text += "; skipped \(report.skipped.count)" }
        output.write(text + "\n")
        guard !report.conflicts.isEmpty else { return }
        var table = Table()
        for conflict in report.conflicts {
            table.add([
                Cell("conflict", .faint), Cell(conflict.name, .strong), Cell(conflict.fields.joined(separator: ", ")),
                Cell(conflict.file), Cell(conflict.id, .faint),
            ])
        }
        table.write(to: output, style: style)
    }

    fileprivate func showFolders() throws -> ExitStatus {
        let folders = try switchboard().contacts.folders()
        try answer(ResultList(folders.map(FolderRow.init))) {
            var table = Table()
            for folder in folders {
                table.add([
                    Cell(folder.path, .strong), Cell("\(folder.contacts) contacts"),
                    Cell(folder.takesNew ? "takes new ones" : "", .faint),
                ])
            }
            table.write(to: output, style: style)
        }
        if folders.isEmpty { diagnostics.note("no folder is followed; 'switchboard contacts link DIR' follows one") }
        return .done
    }
}

extension Fault {
    fileprivate init(_ skipped: SyncReport.Skipped) {
        self.init(
            code: skipped.isMalformed ? "malformedInput" : "notSynced", message: skipped.reason, file: skipped.file,
            line: skipped.line, column: skipped.column, status: skipped.isMalformed ? .malformed : .inputOutput)
    }
}

/// Standard output and standard error of watching, which is told of things on another thread.
private final class FolderScreen: Sendable {
    // Used under the lock alone.
    private struct Streams: @unchecked Sendable {
        let session: Session
    }

    private let streams: Mutex<Streams>

    init(_ session: Session) { streams = Mutex(Streams(session: session)) }

    func tell(_ event: FolderEvent) {
        streams.withLock { streams in
            let session = streams.session
            switch event {
            case .synced(_, let report):
                try? session.answer(report) { session.show(report) }
                try? session.output.flush()
                _ = session.tell(report, [])
            case .failed(_, let error): session.diagnostics.report(Fault(error))
            }
        }
    }
}
