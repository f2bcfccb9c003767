import Foundation
import SwitchboardContacts
import SwitchboardKit
import SwitchboardTerminalInterface

extension RequestHandler {
    /// Returns the groups, the birthdays of a year, or the probable duplicates.
    func entries(of kind: MenuKind) throws -> [MenuEntry] {
        let book = try switchboard.contacts
        switch kind {
        case .groups:
            let groups = try book.groups()
            guard !groups.isEmpty else { return [] }
            return [MenuEntry(["All contacts", "\(try book.count())"], .group(nil))]
                + groups.map { MenuEntry([$0.name, "\($0.count)"], .group($0.name)) }
        case .birthdays:
            return try book.birthdays(from: CalendarDay(Date()), days: 366).map { upcoming in
                let row = BirthdayRow(upcoming)
                let age = upcoming.age.map { "turns \($0)" } ?? ""
                return MenuEntry(
                    [row.row.title, upcoming.date, row.distance, age], .contact(id: row.row.id))
            }
        case .duplicates:
            return try book.duplicates().map { group in
                let row = DuplicateRow(group)
                var names: [String] = []
                for name in row.rows.map(\.title) where !names.contains(name) { names.append(name) }
                return MenuEntry(
                    [
                        names.joined(separator: ", "), "\(row.rows.count) contacts",
                        row.reason + (row.objection.isEmpty ? "" : "; against: " + row.objection),
                    ],
                    .merge(
                        row.rows.map(\.id), into: names.first ?? "",
                        people: row.rows.map { MenuEntry([$0.title, $0.subtitle], .contact(id: $0.id)) }))
            }
        case .removed:
            return try book.removed().map {
                MenuEntry([$0.contact.displayName, $0.removedAt.localTime], .restore(id: $0.contact.id))
            }
        case .duplicate, .importReport: return []
        }
    }

    /// Imports contacts from a file.
    ///
    /// - Parameter region: The region of numbers without a country code, with which the last import is repeated.
    func importing(_ typed: String, region: String? = nil) throws -> Event? {
        let source = ImportSource.file(PathCompletion.expanded(typed))
        if let region {
            let region = try ProcessEnvironment.region(region, from: "the prompt")
            // The file may have gone.
            _ = try switchboard.contacts.importContacts(from: [source], options: ImportOptions(isDryRun: true))
            try TerminalConfiguration.store(region: region)
            switchboard.setRegion(region)
            events.post(.regionSet(region))
            do {
                _ = try switchboard.contacts.undoImport(of: source.name)
            } catch ContactBookError.noImport {
                // Another import came in between; this one merges with what is there.
            }
        }
        let events = events
        let report = try switchboard.contacts.importContacts(
            from: [source],
            options: ImportOptions(
                writesRejected: true,
                progress: { events.post(.notice("reading \(typed): \($0.contacts) contacts…")) }))
        let count = report.added + report.merged
        if let skipped = report.skipped.first, count + report.unchanged == 0 {
            throw SwitchboardError(
                code: "malformedInput", message: skipped.reason, file: skipped.file, line: skipped.line,
                column: skipped.column, status: .malformed)
        }
        func entry(_ what: String, _ line: Int, _ text: String) -> MenuEntry {
            MenuEntry([what, "line \(line)", text], .nothing)
        }
        let lines =
            report.skipped.map { entry("skipped", $0.line, $0.reason) }
            + report.notes.map { entry("note", $0.line, $0.reason) }
            + report.merges.map { entry("merged", $0.line, "“\($0.merged)” into “\($0.kept)”: \($0.reason)") }
        var text = "added \(report.added), merged \(report.merged), unchanged \(report.unchanged)"
        if report.isMalformed { text += ", skipped \(report.skipped.count)" }
        if let path = report.rejectedFiles.first { text += ", which are in \(path)" }
        events.post(.imported(text, lines, isUndoable: count > 0))
        guard report.added > 0, switchboard.settings.region == nil else { return nil }
        let numbers = try switchboard.contacts.numbersWithoutCountry()
        return numbers > 0 ? .regionMissing(numbers: numbers, path: typed) : nil
    }

    /// Writes contacts to a new file in the format given by its name.
    func export(to typed: String, group: String?, ids: [String]?) throws -> Event {
        let formats: [String: ExportFormat] = ["vcf": .vcard3, "csv": .csv, "json": .json]
        let url = URL(fileURLWithPath: PathCompletion.expanded(typed))
        guard let format = formats[url.pathExtension.lowercased()] else {
            throw SwitchboardError.usage("\(typed) has no known format; use a name that ends in .vcf, .csv or .json")
        }
        var text = ""
        let count = try switchboard.contacts.export(format, group: ids == nil ? group : nil, only: ids.map(Set.init)) {
            text += $0
        }
        do {
            // Never replace an existing file.
            try Data(text.utf8).write(to: url, options: [.withoutOverwriting])
        } catch CocoaError.fileWriteFileExists {
            throw SwitchboardError.usage("\(typed) exists; choose another name")
        } catch {
            throw SwitchboardError(
                code: "inputOutput", message: "cannot write \(typed); check the folder and its permissions",
                file: url.path, status: .inputOutput)
        }
        return .exported("\(count) contacts written to \(typed)")
    }
}

enum PictureFile {
    /// The maximum size in bytes; larger pictures exceed the pixel limit anyway.
    private static let largest = 64 << 20

    static func read(_ typed: String) throws(SwitchboardError) -> [UInt8] {
        let path = PathCompletion.expanded(typed)
        var information = stat()
        // Safe: the path is a copy that ends with NUL, and the result is written to a local variable.
        guard unsafe stat(path, &information) == 0 else {
            throw SwitchboardError(
                code: "missingFile", message: "there is no file \(typed); check the name", status: .missing)
        }
        guard information.st_mode & S_IFMT == S_IFREG else {
            throw SwitchboardError(
                code: "malformedInput", message: "\(typed) is not a regular file", status: .malformed)
        }
        guard information.st_size <= largest else {
            throw SwitchboardError(
                code: "malformedInput", message: "\(typed) is larger than \(largest >> 20) MiB", status: .malformed)
        }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw SwitchboardError(code: "inputOutput", message: "cannot read \(typed)", status: .inputOutput)
        }
        return Array(data)
    }
}

enum PathCompletion {
    /// Returns the path with `~` replaced by the home folder.
    static func expanded(_ path: String) -> String { NSString(string: path).expandingTildeInPath }

    /// Returns the matching files and folders in order, folders with a trailing slash. Hidden ones need a typed dot.
    static func of(_ text: String) -> [String] {
        let slash = text.lastIndex(of: "/")
        let typedFolder = slash.map { String(text[...$0]) } ?? ""
        let beginning = slash.map { String(text[text.index(after: $0)...]) } ?? text
        let folder = typedFolder.isEmpty ? "." : expanded(typedFolder)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasPrefix(beginning) && ($0.first != "." || beginning.first == ".") }
            .sorted().prefix(200).map { name in
                var isFolder: ObjCBool = false
                // Safe: the result is written to a local variable.
                _ = unsafe FileManager.default.fileExists(atPath: folder + "/" + name, isDirectory: &isFolder)
                return typedFolder + name + (isFolder.boolValue ? "/" : "")
            }
    }
}
