public import SwitchboardKit

/// The configuration of the terminal interface: the first tab, the theme and the keys.
///
/// The file has one setting per line, and comments that begin with `#`:
///
/// ```text
/// tab = contacts
/// theme = light
/// key.undo = u, Alt-u
/// ```
public struct TerminalConfiguration: Sendable {
    /// The colors of the interface.
    public enum Theme: String, CaseIterable, Sendable {
        /// Colors for a dark background.
        case dark
        /// Colors for a light background.
        case light
        /// No colors; bold and reverse only.
        case mono
    }

    /// The initial tab.
    public private(set) var tab = Tab.find
    /// The color theme.
    public private(set) var theme = Theme.dark
    /// The colors that override the theme, as numbers in the 256-color palette.
    public private(set) var colours: [Style.Tone: Int] = [:]
    /// The key bindings.
    public private(set) var keys = KeyTable.standard

    /// Creates the default configuration.
    public init() {}

    /// Parses the text of a configuration file.
    ///
    /// - Parameter file: the path, for errors.
    /// - Throws: ``SwitchboardError`` with the line of the first mistake.
    public init(parsing text: String, file: String) throws(SwitchboardError) {
        var lines: [String: Int] = [:]
        var bindings: [Command: [Key]] = [:]
        var owners: [Key: String] = [:]
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let line = Self.trimmed(line)
            if line.isEmpty || line.hasPrefix("#") { continue }
            func mistake(_ message: String) -> SwitchboardError {
                SwitchboardError(
                    code: "malformedInput", message: message, file: file, line: index + 1, status: .malformed)
            }
            guard let equals = line.firstIndex(of: "=") else { throw mistake("a setting has the form name = value") }
            let name = Self.trimmed(line[..<equals])
            let value = Self.trimmed(line[line.index(after: equals)...])
            if let earlier = lines.updateValue(index + 1, forKey: name) {
                throw mistake("\(name) is set in line \(earlier), too; remove one of the lines")
            }
            switch name {
            case "tab":
                guard let tab = Tab.allCases.first(where: { "\($0)" == value }) else {
                    throw mistake("there is no tab “\(value)”; use \(Self.list(Tab.allCases.map { "\($0)" }))")
                }
                self.tab = tab
            case "theme":
                guard let theme = Theme(rawValue: value) else {
                    throw mistake("there is no theme “\(value)”; use \(Self.list(Theme.allCases.map(\.rawValue)))")
                }
                self.theme = theme
            case let name where name.hasPrefix("colour."):
                guard let tone = Style.Tone.configurable.first(where: { "colour.\($0)" == name }) else {
                    let tones = Self.list(Style.Tone.configurable.map { "\($0)" })
                    throw mistake("there is no colour “\(name.dropFirst(7))”; use \(tones)")
                }
                if value == "theme" { break }
                guard let number = Int(value), (0...255).contains(number) else {
                    throw mistake("the colour “\(value)” is not a number from 0 to 255; see the palette of 256 colours")
                }
                colours[tone] = number
            default:
                guard name.hasPrefix("key."),
                    let command = KeyTable.standard.entries.first(where: { "key." + $0.command.name == name })?.command
                else {
                    throw mistake("there is no setting “\(name)”; switchboard-tui --print-config lists all")
                }
                bindings[command] = []
                for word in value.split(whereSeparator: { $0 == "," || $0 == " " || $0 == "\t" }) {
                    guard let key = Key(named: String(word == "Comma" ? "," : word)) else {
                        throw mistake("there is no key “\(word)”; use names such as u, Alt-u, Ctrl-U, F5 or PgDn")
                    }
                    if Self.fixed.contains(key), KeyTable.standard.command(of: key, isListFocused: true) != command {
                        throw mistake("\(key.name) always has the same command; use another key")
                    }
                    if case .character = key, command.changesData {
                        throw mistake("\(key.name) types text and \(name) changes data; use a key with Alt or Ctrl")
                    }
                    if let owner = owners.updateValue(name, forKey: key) {
                        throw mistake("\(key.name) is a key of \(owner), too; remove one of them")
                    }
                    bindings[command]?.append(key)
                }
            }
        }
        keys = KeyTable.standard.binding(bindings)
    }

    /// Keys with a meaning in forms and questions, or that work in any state.
    private static let fixed: Set<Key> = [
        .enter, .escape, .control("c"), .control("q"), .control("z"), .control("l"),
    ]

    /// The configuration as a file with all settings.
    public var text: String {
        var lines = [
            "# The first tab: " + Self.list(Tab.allCases.map { "\($0)" }), "tab = \(tab)",
            "# The colours: " + Self.list(Theme.allCases.map(\.rawValue)), "theme = \(theme)",
            "# Colours instead of those of the theme: a number of the palette of 256 colours, or theme",
        ]
        lines += Style.Tone.configurable.map { "colour.\($0) = \(colours[$0].map { "\($0)" } ?? "theme")" }
        lines += [
            "# The keys of each command. A key that types or edits text is a command in the list only."
        ]
        for entry in keys.entries {
            let names = (entry.inList + entry.everywhere).map { $0 == .character(",") ? "Comma" : $0.name }
            lines += ["# " + entry.title, "key.\(entry.command.name) = " + names.joined(separator: ", ")]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func list(_ names: [String]) -> String {
        names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        var text = Substring(text)
        while text.first?.isWhitespace ?? false { text.removeFirst() }
        while text.last?.isWhitespace ?? false { text.removeLast() }
        return String(text)
    }
}
