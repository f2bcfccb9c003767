public import SwitchboardStorage

/// Which database, for whom: what a front end decides before anything is opened.
public struct Settings: Sendable {
    /// The database file.
    public var database: String
    /// The territory of phone numbers without a country code, an ISO 3166 code of two letters; nil if unknown.
    public var region: String?
    /// The language of airports' names, as a language tag.
    public var language: String
    /// Whether the program ends soon: then nothing is done in the background, and what may take long is left to
    /// ``Switchboard/Switchboard/compact()``.
    public var endsSoon: Bool
    /// How the file is opened.
    public var storageOptions: StorageOptions

    /// Settings; see the properties.
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
