public import SwitchboardStorage

/// The settings of a switchboard, which a front end chooses before anything is opened.
public struct Settings: Sendable {
    /// The path of the database.
    public var database: String
    /// The region of phone numbers without a country code, an ISO 3166-1 alpha-2 code; nil if unknown.
    public var region: String?
    /// The language of airport names, as a language tag.
    public var language: String
    /// `true` for a short-lived process: nothing runs in the background, and long-running maintenance is left to
    /// ``Switchboard/Switchboard/compact()``.
    public var endsSoon: Bool
    /// The options for opening the database.
    public var storageOptions: StorageOptions

    /// Creates settings.
    public init(
        database: String, region: String? = nil, language: String = "en", endsSoon: Bool = false,
        storageOptions: StorageOptions = StorageOptions()
    ) {
        self.database = database
        self.region = region
        self.language = language
        self.endsSoon = endsSoon
        self.storageOptions = storageOptions
    }
}
