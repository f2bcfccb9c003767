/// What the environment of a process says about the person who started it.
///
/// - The database: `SWITCHBOARD_DATABASE`, else `switchboard/switchboard.sqlite` under `XDG_DATA_HOME`, else under
///   `~/.local/share` (XDG Base Directory Specification: a relative `XDG_DATA_HOME` does not count).
/// - The region of phone numbers: `SWITCHBOARD_REGION`, else the territory of the locale for telephone numbers: that of
///   `LC_ALL`, else `LC_TELEPHONE`, else `LANG`, the first that is not empty (POSIX, "Environment Variables", 8.2).
/// - The language: that of `LC_ALL`, else `LC_MESSAGES`, else `LANG`. GNU's `LANGUAGE` is not looked at.
/// - The server to ask for further airports: `SWITCHBOARD_REMOTE`.
///
/// The locales `C` and `POSIX`, with or without a character set, have neither territory nor language.
public struct ProcessEnvironment: Sendable {
    /// The environment variables that are looked at.
    public static let variables = [
        "SWITCHBOARD_DATABASE", "XDG_DATA_HOME", "HOME", "SWITCHBOARD_REGION", "LC_ALL", "LC_TELEPHONE", "LC_MESSAGES",
        "LANG", "SWITCHBOARD_REMOTE",
    ]

    private let variables: [String: String]

    /// What these environment variables say.
    public init(_ variables: [String: String]) {
        self.variables = variables
    }

    private subscript(_ name: String) -> String? {
        guard let value = variables[name], !value.isEmpty else { return nil }
        return value
    }

    /// The database file.
    ///
    /// - Throws: a ``Fault`` if nothing tells where the person's files are.
    public func database() throws(Fault) -> String {
        if let path = self["SWITCHBOARD_DATABASE"] { return path }
        if let folder = self["XDG_DATA_HOME"], folder.hasPrefix("/") {
            return folder + "/switchboard/switchboard.sqlite"
        }
        if let home = self["HOME"] { return home + "/.local/share/switchboard/switchboard.sqlite" }
        throw .usage("no home folder is known to keep the database in; name a file with --database")
    }

    /// The territory of phone numbers without a country code; nil if nothing tells.
    ///
    /// - Throws: a ``Fault`` if `SWITCHBOARD_REGION` is no territory.
    public func region() throws(Fault) -> String? {
        if let text = self["SWITCHBOARD_REGION"] { return try Self.region(text, from: "SWITCHBOARD_REGION") }
        return locale("LC_TELEPHONE")?.territory
    }

    /// The language of the person; nil if nothing tells.
    public var language: String? { locale("LC_MESSAGES")?.language }

    /// The address of the server to ask for further airports, as it is written; nil if there is none.
    public var remote: String? { self["SWITCHBOARD_REMOTE"] }

    /// Reads a territory as a person writes it.
    ///
    /// - Parameters:
    ///   - text: two letters in any case, such as `TR`.
    ///   - source: the option or variable it comes from, for the message.
    /// - Throws: a ``Fault`` if it is not two letters.
    public static func region(_ text: String, from source: String) throws(Fault) -> String {
        guard text.utf8.count == 2, text.utf8.allSatisfy({ ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A }) else {
            throw .usage("\(source): “\(text)” is no territory; give two letters of ISO 3166, such as TR")
        }
        return text.uppercased()
    }

    private func locale(_ category: String) -> (language: String, territory: String?)? {
        guard let name = self["LC_ALL"] ?? self[category] ?? self["LANG"] else { return nil }
        // language[_territory][.charset][@modifier]
        let parts = name.prefix { $0 != "." && $0 != "@" }.split(separator: "_", maxSplits: 1)
        guard let language = parts.first, language != "C", language != "POSIX" else { return nil }
        let territory = parts.count > 1 ? try? Self.region(String(parts[1]), from: category) : nil
        return (language.lowercased(), territory)
    }
}
