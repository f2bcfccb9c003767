import Glibc
public import SwitchboardStorage

/// The settings of a switchboard, chosen by a front end before anything is opened.
public struct Settings: Sendable {
    /// The path of the database.
    public var database: String
    /// The region of phone numbers without a country code, an ISO 3166-1 alpha-2 code; nil if unknown.
    public var region: String?
    /// The language of airport names, as a language tag.
    public var language: String
    /// `true` for a short-lived process: nothing runs in the background, and only ``Switchboard/compact()``
    /// performs long-running maintenance.
    public var isShortLived: Bool
    /// The options for opening the database.
    public var storageOptions: StorageOptions
    /// `true` to use an empty in-memory database instead of creating a missing file, for programs that only read.
    public var missingFileIsEmpty = false

    /// Creates settings.
    public init(
        database: String, region: String? = nil, language: String = "en", isShortLived: Bool = false,
        storageOptions: StorageOptions = StorageOptions()
    ) {
        self.database = database
        self.region = region
        self.language = language
        self.isShortLived = isShortLived
        self.storageOptions = storageOptions
    }
}

/// The user's settings in the environment variables of a process.
///
/// - Database: `SWITCHBOARD_DATABASE`, else `switchboard/switchboard.sqlite` under `XDG_DATA_HOME`, else under
///   `~/.local/share` (XDG Base Directory Specification: a relative `XDG_DATA_HOME` is ignored).
/// - Region of phone numbers: `SWITCHBOARD_REGION`, else the territory of the locale for telephone numbers: the first
///   non-empty variable of `LC_ALL`, `LC_TELEPHONE` and `LANG` (POSIX, "Environment Variables", 8.2).
/// - Language: the language of `LC_ALL`, else `LC_MESSAGES`, else `LANG`. GNU's `LANGUAGE` is ignored.
/// - Server for additional airports: `SWITCHBOARD_REMOTE`.
///
/// The locales `C` and `POSIX`, with or without a character set, have no territory and no language.
public struct ProcessEnvironment: Sendable {
    private static let names = [
        "SWITCHBOARD_DATABASE", "XDG_DATA_HOME", "HOME", "SWITCHBOARD_REGION", "LC_ALL", "LC_TELEPHONE", "LC_MESSAGES",
        "LANG", "SWITCHBOARD_REMOTE", "XDG_CONFIG_HOME", "XDG_DATA_DIRS", "NO_COLOR", "TERM",
    ]

    /// The environment of this process. Reading only the known variables is faster than reading all.
    public static var current: ProcessEnvironment {
        var variables: [String: String] = [:]
        for name in names {
            // Safe: a value ends with NUL, and nothing changes the environment.
            if let value = unsafe getenv(name) { variables[name] = unsafe String(cString: value) }
        }
        return ProcessEnvironment(variables)
    }

    private let variables: [String: String]

    /// Creates an environment from variables.
    public init(_ variables: [String: String]) {
        self.variables = variables
    }

    private subscript(_ name: String) -> String? {
        guard let value = variables[name], !value.isEmpty else { return nil }
        return value
    }

    /// Returns the path of the database.
    ///
    /// - Throws: ``SwitchboardError`` if no home folder is known.
    public func database() throws(SwitchboardError) -> String {
        if let path = self["SWITCHBOARD_DATABASE"] { return path }
        if let folder = self["XDG_DATA_HOME"], folder.hasPrefix("/") {
            return folder + "/switchboard/switchboard.sqlite"
        }
        if let home = self["HOME"] { return home + "/.local/share/switchboard/switchboard.sqlite" }
        throw .usage("no home folder is known for the database; set SWITCHBOARD_DATABASE")
    }

    /// The folders where programs install data: `XDG_DATA_HOME`, else `~/.local/share`, and `XDG_DATA_DIRS`, else
    /// `/usr/local/share` and `/usr/share`.
    public var dataFolders: [String] {
        let own = self["XDG_DATA_HOME"] ?? self["HOME"].map { $0 + "/.local/share" }
        let shared = self["XDG_DATA_DIRS"] ?? "/usr/local/share:/usr/share"
        return ([own].compactMap { $0 } + shared.split(separator: ":").map(String.init)).filter { $0.hasPrefix("/") }
    }

    /// Returns the path of a user settings file, in `switchboard` under `XDG_CONFIG_HOME`, else under `~/.config`.
    ///
    /// - Throws: ``SwitchboardError`` if no home folder is known.
    public func settingsFile(_ name: String) throws(SwitchboardError) -> String {
        try configurationFolder() + "/switchboard/" + name
    }

    /// Returns the folder of the user's configuration: `XDG_CONFIG_HOME`, else `~/.config`.
    ///
    /// - Throws: ``SwitchboardError`` if no home folder is known.
    public func configurationFolder() throws(SwitchboardError) -> String {
        if let folder = self["XDG_CONFIG_HOME"], folder.hasPrefix("/") { return folder }
        if let home = self["HOME"] { return home + "/.config" }
        throw .usage("no home folder is known for the settings; set XDG_CONFIG_HOME")
    }

    /// Returns the region of phone numbers without a country code; nil if unknown.
    ///
    /// - Throws: ``SwitchboardError`` if `SWITCHBOARD_REGION` is invalid.
    public func region() throws(SwitchboardError) -> String? {
        if let text = self["SWITCHBOARD_REGION"] { return try Self.region(text, from: "SWITCHBOARD_REGION") }
        return locale("LC_TELEPHONE")?.territory
    }

    /// The user's language; nil if unknown.
    public var language: String? { locale("LC_MESSAGES")?.language }

    /// Returns the server for additional airports; nil if none is configured.
    ///
    /// - Parameter option: The value of the option `--remote`, which takes precedence over the environment.
    /// - Throws: ``SwitchboardError`` if the address is invalid.
    public func server(_ option: String?) throws(SwitchboardError) -> AirportServer? {
        guard let address = option ?? remote else { return nil }
        do {
            return try AirportServer(address)
        } catch {
            var error = SwitchboardError(error)
            error.message = "\(option == nil ? "SWITCHBOARD_REMOTE" : "--remote"): \(error.message)"
            throw error
        }
    }

    /// The type of the terminal (`TERM`); empty if unknown.
    public var terminal: String { self["TERM"] ?? "" }

    /// `true` unless `NO_COLOR` has a value.
    public var allowsColors: Bool { self["NO_COLOR"] == nil }

    /// The address of the server for additional airports, unparsed; nil if not set.
    public var remote: String? { self["SWITCHBOARD_REMOTE"] }

    /// Parses a region.
    ///
    /// - Parameters:
    ///   - text: The code of a country in any case, such as `TR`.
    ///   - source: The option or variable for the error message.
    /// - Throws: ``SwitchboardError`` unless the text is a code of ISO 3166-1, or one that CLDR adds.
    public static func region(_ text: String, from source: String) throws(SwitchboardError) -> String {
        let code = text.utf8.count == 2 ? text.uppercased() : text
        guard regions.split(separator: " ").contains(code[...]) else {
            let remedy = ["UK": "GB", "EL": "GR"][code] ?? "a country's two letters of ISO 3166, such as TR"
            throw .usage("cannot read the region “\(text)” of \(source); use \(remedy)")
        }
        return code
    }

    /// ISO 3166-1 (Debian's iso-codes 4.15.0), and Ascension, Tristan da Cunha and Kosovo, as in CLDR.
    private static let regions = """
        AC AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW \
        BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ \
        FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ \
        IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH \
        MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL \
        PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TA TC \
        TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW
        """

    private func locale(_ category: String) -> (language: String, territory: String?)? {
        guard let name = self["LC_ALL"] ?? self[category] ?? self["LANG"] else { return nil }
        // language[_territory][.charset][@modifier]
        let parts = name.prefix { $0 != "." && $0 != "@" }.split(separator: "_", maxSplits: 1)
        guard let language = parts.first, language != "C", language != "POSIX" else { return nil }
        let territory = parts.count > 1 ? try? Self.region(String(parts[1]), from: category) : nil
        return (language.lowercased(), territory)
    }
}
