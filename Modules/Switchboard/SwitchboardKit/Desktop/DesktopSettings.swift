import Foundation

/// The settings of the desktop's search: the kinds of objects that it shows.
///
/// They are stored in the text file `switchboard/desktop.conf` in `$XDG_CONFIG_HOME`, because they belong to a desktop
/// rather than to a database. If the file is missing, all kinds are shown. If it cannot be read, no kind is shown: an
/// error must not reveal hidden objects.
///
/// For example:
///
/// ```text
/// # The kinds that the desktop's search shows: contact, prospect, airport and item.
/// show = airport, item
/// ```
public struct DesktopSettings: Sendable, Hashable {
    /// The kinds that are shown; empty if the desktop's search finds nothing.
    public var shownKinds: Set<ResultKind>

    /// Creates settings that show all kinds.
    public init() { shownKinds = Set(ResultKind.allCases) }

    /// Parses the text of a settings file.
    ///
    /// - Parameter file: The path for errors.
    /// - Throws: ``SwitchboardError`` with the line of the first mistake.
    public init(parsing text: String, file: String) throws(SwitchboardError) {
        self.init()
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let line = line.trimmingCharacters(in: .whitespaces)
            if line.isEmpty || line.hasPrefix("#") { continue }
            func mistake(_ message: String) -> SwitchboardError {
                SwitchboardError(
                    code: "malformedInput", message: message, file: file, line: index + 1, status: .malformed)
            }
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0].trimmingCharacters(in: .whitespaces) == "show" else {
                throw mistake("cannot read “\(line)”; use show = contact, airport")
            }
            shownKinds = []
            for name in parts[1].split(whereSeparator: { $0 == "," || $0.isWhitespace }) {
                guard let kind = ResultKind(rawValue: String(name)) else {
                    let known = ResultKind.allCases.map(\.rawValue).joined(separator: ", ")
                    throw mistake("unknown kind “\(name)”; use \(known)")
                }
                shownKinds.insert(kind)
            }
        }
    }

    /// Reads a settings file; a missing file shows all kinds.
    ///
    /// - Throws: ``SwitchboardError`` for a file that cannot be read or has a mistake.
    public init(file: String) throws(SwitchboardError) {
        guard FileManager.default.fileExists(atPath: file) else {
            self.init()
            return
        }
        guard let data = FileManager.default.contents(atPath: file) else {
            throw SwitchboardError(
                code: "inputOutput", message: "cannot read \(file); check its permissions", file: file,
                status: .inputOutput)
        }
        try self.init(parsing: String(decoding: data, as: UTF8.self), file: file)
    }

    /// The rows for all kinds, in the order of equally good results.
    public var rows: [DesktopKindRow] {
        ResultKind.allCases.map { DesktopKindRow(kind: $0, isShown: shownKinds.contains($0)) }
    }

    /// The settings as the text of a file.
    public var text: String {
        let kinds = ResultKind.allCases.filter(shownKinds.contains).map(\.rawValue)
        let all = ResultKind.allCases.map(\.rawValue)
        return """
            # The kinds that the desktop's search shows: \(all.dropLast().joined(separator: ", ")) and \(all.last ?? "").
            show = \(kinds.joined(separator: ", "))

            """
    }

    /// Writes the settings to a file atomically, and creates its folder if missing.
    ///
    /// - Throws: ``SwitchboardError`` if the file cannot be written.
    public func write(to file: String) throws(SwitchboardError) {
        let folder = URL(fileURLWithPath: file).deletingLastPathComponent()
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(fileURLWithPath: file), options: .atomic)
        } catch {
            throw SwitchboardError(
                code: "inputOutput", message: "cannot write \(file): \(error.localizedDescription)", file: file,
                status: .inputOutput)
        }
    }
}

/// A kind in the settings of the desktop's search: `{"kind", "shown"}`.
public struct DesktopKindRow: Encodable, Sendable {
    private enum CodingKeys: String, CodingKey {
        case kind
        case isShown = "shown"
    }

    /// The kind of objects.
    public let kind: ResultKind
    /// `true` if the desktop's search shows it.
    public let isShown: Bool
}
