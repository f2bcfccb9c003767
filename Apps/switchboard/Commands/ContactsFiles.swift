import ArgumentParser
import Foundation
import SwitchboardContactSync
import SwitchboardContacts
import SwitchboardKit
import SwitchboardStorage

struct ContactsImport: Command {
    static let configuration = CommandConfiguration(
        "import", "Import contacts from vCard (2.1, 3.0, 4.0), CSV of Google and Outlook, abook, or exported JSON.",
        discussion: """
            Malformed cards are written to NAME.rejected.vcf (rows of CSV to NAME.rejected.csv) beside the file, and the exit \
            status is 65; all others are imported. Importing a file again changes nothing. For example:

              switchboard contacts import friends.vcf --dry-run
              switchboard contacts import friends.vcf
              switchboard contacts import --undo
            """)

    @Argument(help: "The files, or - for standard input.", completion: .file()) var files: [String] = []
    @Flag(help: "Report what the import would do, and change nothing.") var dryRun = false
    @Flag(help: "Reject a file that has a malformed card as a whole.") var strict = false
    @Option("The character set of text that declares none, such as windows-1251. (default: UTF-8, or detected)", "name")
    var encoding: String?
    @Flag(help: "Undo the last import.") var undo = false
    // The default since 0.2.
    @Flag(help: .hidden) var keepGood = false
    @OptionGroup var region: RegionOption

    func run(_ session: Session) throws -> ExitStatus {
        guard undo || !files.isEmpty else {
            throw SwitchboardError.usage("name a file to import, or - for standard input")
        }
        guard !undo || files.isEmpty && !dryRun && !strict && encoding == nil else {
            throw SwitchboardError.usage("--undo cannot be combined with files or other options; omit them")
        }
        session.region = region.region
        return undo ? try session.undoImport() : try importFiles(session)
    }

    private func importFiles(_ session: Session) throws -> ExitStatus {
        let book = try session.switchboard().contacts
        let interruption = SignalObserver.interruption(ofInput: files.contains("-"))
        let progress = session.progress
        let options = ImportOptions(
            isStrict: strict, isDryRun: dryRun, writesRejected: true, region: nil, encoding: encoding,
            progress: { step in
                let place = step.fileCount > 1 ? " (\(step.fileIndex + 1) of \(step.fileCount))" : ""
                progress.show("\(step.file)\(place): \(step.contacts) contacts")
            },
            isCancelled: { interruption.wasReceived })
        let report: ImportReport
        do {
            report = try book.importContacts(from: files.map(ImportSource.file), options: options)
        } catch let error as ContactBookError {
            progress.clear()
            if case .unreadable(let path, _) = error, isFolder(path) {
                session.diagnostics.note("'switchboard contacts link \(path)' follows a folder with one vCard per file")
            }
            throw error
        }
        progress.clear()
        try session.respond(report) { session.show(report) }
        if !dryRun {
            session.prepareSearch(after: report.added + report.merged) {
                try session.switchboard().warmUpContactSearch()
            }
        }
        if !session.options.json { session.note(report.merges) }
        for note in report.notes { session.diagnostics.note(note.description) }
        if !dryRun, report.added > 0, try session.switchboard().settings.region == nil {
            let count = try book.numbersWithoutCountry()
            if count > 0 {
                session.diagnostics.note(
                    "\(count == 1 ? "1 number has" : "\(count) numbers have") no country code, found only as stored; undo the import with --undo, and repeat it with --region, such as --region GB"
                )
            }
        }
        if dryRun { session.diagnostics.note("nothing was changed; omit --dry-run to import") }
        guard report.isMalformed, let first = report.skipped.first else { return .done }
        for skipped in session.options.json ? [first] : report.skipped {
            session.diagnostics.report(SwitchboardError(skipped))
        }
        for path in report.rejectedFiles {
            session.diagnostics.note("what was skipped is in \(path); correct it and import that file")
        }
        return .malformed
    }
}

private func isFolder(_ path: String) -> Bool {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return attributes?[.type] as? FileAttributeType == .typeDirectory
}

extension SwitchboardError {
    fileprivate init(_ skipped: MalformedInput) {
        self.init(
            code: "malformedInput", message: skipped.reason, file: skipped.file, line: skipped.line,
            column: skipped.column, status: .malformed)
    }

    fileprivate init(_ skipped: SyncReport.Skipped) {
        self.init(
            code: skipped.isMalformed ? "malformedInput" : "notSynced", message: skipped.reason, file: skipped.file,
            line: skipped.line, column: skipped.column, status: skipped.isMalformed ? .malformed : .inputOutput)
    }
}

extension Session {
    /// Prints a note for each merge, up to a readable number.
    fileprivate func note(_ merges: [ImportMerge]) {
        let most = 1_000
        for merge in merges.prefix(most) {
            let place = "\(merge.file):\(merge.line)"
            diagnostics.note("\(place): merged “\(merge.merged)” into “\(merge.kept)” (\(merge.reason))")
        }
        if merges.count > most { diagnostics.note("\(merges.count - most) more; --json names all") }
    }

    fileprivate func undoImport() throws -> ExitStatus {
        let undone = try switchboard().contacts.undoImport()
        try respond(undone) {
            output.write("removed \(undone.removed), restored \(undone.restored)\n")
        }
        prepareSearch(after: undone.removed + undone.restored) { try switchboard().warmUpContactSearch() }
        if options.json { return .done }
        for contact in undone.kept {
            diagnostics.note("“\(contact.name)” (\(contact.id)) was changed since and is kept")
        }
        if undone.missing > 0 {
            diagnostics.note("\(undone.missing) imported contacts had already been removed or merged into others")
        }
        return .done
    }

    fileprivate func show(_ report: ImportReport) {
        var text = "added \(report.added), merged \(report.merged), unchanged \(report.unchanged)"
        if report.isMalformed { text += ", skipped \(report.skipped.count)" }
        output.write(text + "\n")
    }
}

struct ContactsExport: Command {
    static let configuration = CommandConfiguration(
        "export", "Write contacts to standard output as vcard3, vcard4, csv, json or jsonl.",
        discussion: "For example: switchboard contacts export > all.vcf, or one person: contacts export 'Ana Smith'")

    @Argument(help: "The identifiers or names of some contacts; without them, all.", completion: .contacts)
    var contacts: [String] = []
    @Option(help: "The format. (default: vcard3, or json with --json)") var format: ExportChoice?
    @OptionGroup var group: GroupOption

    var isReading: Bool { true }

    func run(_ session: Session) throws -> ExitStatus {
        if let file = contacts.first, contacts.count == 1, file.contains("."),
            try session.switchboard().contactIdentifier(ifAny: file) == nil
        {
            throw SwitchboardError.usage("contacts are written to standard output; use > \(file)")
        }
        if !contacts.isEmpty, group.group != nil {
            throw SwitchboardError.usage("--group cannot be combined with contacts; omit one of them")
        }
        return try session.exportContacts(
            format, ids: contacts.isEmpty ? nil : try contacts.map(session.contact), group: group.group)
    }
}

extension Session {
    /// Writes contacts with the given identifiers, the members of a group, or all contacts.
    func exportContacts(_ format: ExportChoice?, ids: [String]?, group: String? = nil) throws -> ExitStatus {
        let book = try switchboard().contacts
        return try export(format) { body in
            if let ids {
                for id in ids { try body(SearchResult(try book.contact(id))) }
            } else {
                try book.forEach(group: group) { try body(SearchResult($0)) }
            }
        } texts: {
            _ = try book.export($0 as ExportFormat, group: group, only: ids.map(Set.init), to: $1)
        }
    }
}

struct ContactsLink: Command {
    static let configuration = CommandConfiguration(
        "link", "Follow a folder with one vCard per file, as khard and vdirsyncer use, or the address books of GNOME.",
        discussion: """
            The folder stays in place. 'contacts sync' reads changes from the files and writes local changes back to them. \
            New contacts get a file in the folder that was linked first. The word gnome stands for the address books of \
            Evolution Data Server, which GNOME Contacts and Evolution use. For example:

              switchboard contacts link ~/.contacts/personal
              switchboard contacts link gnome
              switchboard contacts sync --watch
            """)

    @Argument(help: "The folder, or gnome; without one, lists the followed folders.", completion: .directory)
    var folder: String?
    @Flag(
        inversion: .prefixedNo,
        help: "Create files for new contacts in this folder. (default: unless another folder does)")
    var takesNew: Bool?
    @Flag(help: "Also create files for existing contacts that have none in any folder.") var takesExisting = false

    func run(_ session: Session) throws -> ExitStatus {
        guard let folder else { return try session.showFolders() }
        if takesNew == false, takesExisting {
            throw SwitchboardError.usage("--takes-existing cannot be combined with --no-takes-new; omit one of them")
        }
        try session.requireAccess(.contacts)
        let book = try session.switchboard().contacts
        let options = LinkOptions(takesNew: takesNew, takesExisting: takesExisting)
        let linked =
            folder == "gnome" ? try book.linkAddressBooks(options: options) : [try book.link(folder, options: options)]
        return try session.sync(linked, SyncOptions())
    }
}

struct ContactsLinks: Command {
    static let configuration = CommandConfiguration("links", "List the followed folders.")

    var isReading: Bool { true }

    func run(_ session: Session) throws -> ExitStatus { try session.showFolders() }
}

struct ContactsSync: Command {
    static let configuration = CommandConfiguration(
        "sync", "Synchronize the followed folders with the address book.",
        discussion: """
            Changes on either side are copied to the other. If both sides changed the same field, the file wins, the local value \
            is kept in an extra line of the card, and the conflict is reported. If all files of a folder are gone, no contact is \
            removed.
            """)

    @Argument(help: "The folders to synchronize, or gnome. (default: all)", completion: .directory) var folders:
        [String] = []
    @Flag(help: "Keep running and synchronize on each change.") var watch = false
    @Flag(help: "Remove the contacts of a folder whose cards are all gone.") var forceDelete = false

    func run(_ session: Session) throws -> ExitStatus {
        if watch, forceDelete {
            throw SwitchboardError.usage("--watch cannot be combined with --force-delete; omit one of them")
        }
        let book = try session.switchboard().contacts
        let chosen = folders.isEmpty ? try book.folders() : try folders.flatMap(book.folders(at:))
        if chosen.isEmpty { throw ContactSyncError.nothingLinked }
        try session.requireAccess(.contacts)
        guard watch else { return try session.sync(chosen, SyncOptions(acceptsEmptyFolder: forceDelete)) }
        let paths = folders.isEmpty ? nil : chosen.map(\.path)
        do {
            try runBlocking(isTerminable: true, handling: session.show) { try await book.watchFolders(paths, $0) }
        } catch is CancellationError {}
        return .done
    }
}

struct ContactsUnlink: Command {
    static let configuration = CommandConfiguration(
        "unlink", "Stop following a folder; its files and contacts are kept.")

    @Argument(help: "The folder, or gnome.", completion: .directory) var folder: String
    @Flag(help: "Remove the contacts that have a file in the folder, but not the files.") var removeContacts = false

    func run(_ session: Session) throws -> ExitStatus {
        let book = try session.switchboard().contacts
        let folders = try book.folders(at: folder).map { try book.unlink($0.path, removingContacts: removeContacts) }
        defer { session.compact() }
        func line(_ folder: LinkedFolder) -> String { "\(folder.path) is no longer followed" }
        if folders.count == 1 { return try session.respond(folders[0], line: line(folders[0])) }
        return try session.respond(folders) { [Cell(line($0))] }
    }
}

// MARK: - Running and printing

extension Session {
    /// Synchronizes folders and prints a report. An error in one folder does not stop the others.
    fileprivate func sync(_ folders: [LinkedFolder], _ options: SyncOptions) throws -> ExitStatus {
        let book = try switchboard().contacts
        let interruption = SignalObserver.interruption()
        let progress = progress
        var options = options
        options.isCancelled = { interruption.wasReceived }
        var report = SyncReport()
        var errors: [SwitchboardError] = []
        for folder in folders {
            options.progress = { done, all in
                progress.show(
                    "\(folder.path): \(done) of \(all) files", fraction: all > 0 ? Double(done) / Double(all) : nil)
            }
            do {
                report.add(try book.sync(folder, options: options))
            } catch let error as ContactSyncError where folders.count > 1 {
                errors.append(SwitchboardError(error).withHint(group: "contacts"))
            }
        }
        progress.clear()
        try respond(report) { show(report) }
        let status = reportSkipped(report, errors)
        prepareSearch(after: report.added + report.updated) { try switchboard().warmUpContactSearch() }
        return status
    }

    /// Reports notes, skipped cards and other errors on standard error and returns the exit status.
    fileprivate func reportSkipped(_ report: SyncReport, _ errors: [SwitchboardError]) -> ExitStatus {
        if !options.json { for note in report.changed { diagnostics.note(note.description) } }
        let all = errors + report.skipped.map(SwitchboardError.init)
        // The JSON response contains all of them, so one line on standard error suffices.
        for error in options.json ? Array(all.prefix(1)) : all { diagnostics.report(error) }
        return all.contains { $0.status == .malformed } ? .malformed : all.first?.status ?? .done
    }

    /// Prints an event of `sync --watch`.
    fileprivate func show(_ event: FolderEvent) {
        switch event {
        case .synced(_, let report):
            _ = try? respond(report) { show(report) }
            try? output.flush()
            _ = reportSkipped(report, [])
        case .failed(_, let error): diagnostics.report(SwitchboardError(error).withHint(group: "contacts"))
        }
    }

    fileprivate func show(_ report: SyncReport) {
        var text = "added \(report.added), updated \(report.updated), removed \(report.removed), "
        text += "unchanged \(report.unchanged); files written \(report.written), deleted \(report.deleted)"
        if !report.skipped.isEmpty { text += "; skipped \(report.skipped.count)" }
        output.write(text + "\n")
        showTable(
            report.conflicts.map { conflict in
                [
                    Cell("conflict", .faint), Cell(conflict.name, .strong),
                    Cell(conflict.fields.joined(separator: ", ")), Cell(conflict.file), Cell(conflict.id, .faint),
                ]
            })
    }

    fileprivate func showFolders() throws -> ExitStatus {
        let folders = try switchboard().contacts.folders()
        try respond(folders) { folder in
            [
                Cell(folder.path, .strong), Cell(folder.contacts == 1 ? "1 contact" : "\(folder.contacts) contacts"),
                Cell(folder.takesNew ? "takes new contacts" : "", .faint),
            ]
        }
        if folders.isEmpty {
            diagnostics.note("no folder is followed; follow one with 'switchboard contacts link DIR'")
        }
        return .done
    }
}
