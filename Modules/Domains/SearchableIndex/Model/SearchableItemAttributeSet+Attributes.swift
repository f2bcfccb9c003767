public import Foundation

// The attributes by name, for programs.

extension SearchableItemAttributeSet {
    /// What the item is called.
    public var title: String? {
        get { if case .text(let value)? = self[.title].first { value } else { nil } }
        set { self[.title] = newValue.map { [.text($0)] } ?? [] }
    }

    /// What it is called where it is shown, if not its title.
    public var displayName: String? {
        get { if case .text(let value)? = self[.displayName].first { value } else { nil } }
        set { self[.displayName] = newValue.map { [.text($0)] } ?? [] }
    }

    /// Other names.
    public var alternateNames: [String] {
        get { self[.alternateNames].compactMap { if case .text(let value) = $0 { value } else { nil } } }
        set { self[.alternateNames] = newValue.map { .text($0) } }
    }

    /// What it is about, in single words.
    public var keywords: [String] {
        get { self[.keywords].compactMap { if case .text(let value) = $0 { value } else { nil } } }
        set { self[.keywords] = newValue.map { .text($0) } }
    }

    /// What it is, in a sentence or two.
    public var contentDescription: String? {
        get { if case .text(let value)? = self[.contentDescription].first { value } else { nil } }
        set { self[.contentDescription] = newValue.map { [.text($0)] } ?? [] }
    }

    /// Its whole text; searched last, shown as a snippet.
    public var textContent: String? {
        get { if case .text(let value)? = self[.textContent].first { value } else { nil } }
        set { self[.textContent] = newValue.map { [.text($0)] } ?? [] }
    }

    /// A uniform type identifier, such as public.movie.
    public var contentType: String? {
        get { if case .text(let value)? = self[.contentType].first { value } else { nil } }
        set { self[.contentType] = newValue.map { [.text($0)] } ?? [] }
    }

    /// The type and all it conforms to; made from the type unless given.
    public var contentTypeTree: [String] {
        get { self[.contentTypeTree].compactMap { if case .text(let value) = $0 { value } else { nil } } }
        set { self[.contentTypeTree] = newValue.map { .text($0) } }
    }

    /// Where the content itself lies.
    public var contentURL: String? {
        get { if case .text(let value)? = self[.contentURL].first { value } else { nil } }
        set { self[.contentURL] = newValue.map { [.text($0)] } ?? [] }
    }

    /// Where the item is shown.
    public var url: String? {
        get { if case .text(let value)? = self[.url].first { value } else { nil } }
        set { self[.url] = newValue.map { [.text($0)] } ?? [] }
    }

    /// The file it is.
    public var path: String? {
        get { if case .text(let value)? = self[.path].first { value } else { nil } }
        set { self[.path] = newValue.map { [.text($0)] } ?? [] }
    }

    /// A small picture of it.
    public var thumbnailURL: String? {
        get { if case .text(let value)? = self[.thumbnailURL].first { value } else { nil } }
        set { self[.thumbnailURL] = newValue.map { [.text($0)] } ?? [] }
    }

    /// A small picture of it, as bytes.
    public var thumbnailData: Data? {
        get { if case .data(let value)? = self[.thumbnailData].first { value } else { nil } }
        set { self[.thumbnailData] = newValue.map { [.data($0)] } ?? [] }
    }

    /// From 0 to 100: how much it matters among the items of its app; 50 unless given.
    public var rankingHint: Double? {
        get { if case .number(let value)? = self[.rankingHint].first { value } else { nil } }
        set { self[.rankingHint] = newValue.map { [.number($0)] } ?? [] }
    }

    /// When it was used last.
    public var lastUsedDate: Date? {
        get { if case .date(let value)? = self[.lastUsedDate].first { value } else { nil } }
        set { self[.lastUsedDate] = newValue.map { [.date($0)] } ?? [] }
    }

    /// How good it is.
    public var rating: Double? {
        get { if case .number(let value)? = self[.rating].first { value } else { nil } }
        set { self[.rating] = newValue.map { [.number($0)] } ?? [] }
    }

    /// How often it was played.
    public var playCount: Double? {
        get { if case .number(let value)? = self[.playCount].first { value } else { nil } }
        set { self[.playCount] = newValue.map { [.number($0)] } ?? [] }
    }

    /// Whether the person made it.
    public var userCreated: Bool? {
        get { if case .flag(let value)? = self[.userCreated].first { value } else { nil } }
        set { self[.userCreated] = newValue.map { [.flag($0)] } ?? [] }
    }

    /// Whether the person chose it.
    public var userCurated: Bool? {
        get { if case .flag(let value)? = self[.userCurated].first { value } else { nil } }
        set { self[.userCurated] = newValue.map { [.flag($0)] } ?? [] }
    }

    /// Whether the person bought it.
    public var userOwned: Bool? {
        get { if case .flag(let value)? = self[.userOwned].first { value } else { nil } }
        set { self[.userOwned] = newValue.map { [.flag($0)] } ?? [] }
    }

    /// When it begins.
    public var startDate: Date? {
        get { if case .date(let value)? = self[.startDate].first { value } else { nil } }
        set { self[.startDate] = newValue.map { [.date($0)] } ?? [] }
    }

    /// When it ends.
    public var endDate: Date? {
        get { if case .date(let value)? = self[.endDate].first { value } else { nil } }
        set { self[.endDate] = newValue.map { [.date($0)] } ?? [] }
    }

    /// When it is due.
    public var dueDate: Date? {
        get { if case .date(let value)? = self[.dueDate].first { value } else { nil } }
        set { self[.dueDate] = newValue.map { [.date($0)] } ?? [] }
    }

    /// When it was done.
    public var completionDate: Date? {
        get { if case .date(let value)? = self[.completionDate].first { value } else { nil } }
        set { self[.completionDate] = newValue.map { [.date($0)] } ?? [] }
    }

    /// Other dates.
    public var importantDates: [Date] {
        get { self[.importantDates].compactMap { if case .date(let value) = $0 { value } else { nil } } }
        set { self[.importantDates] = newValue.map { .date($0) } }
    }

    /// Whether it lasts the whole day.
    public var allDay: Bool? {
        get { if case .flag(let value)? = self[.allDay].first { value } else { nil } }
        set { self[.allDay] = newValue.map { [.flag($0)] } ?? [] }
    }

    /// Degrees north.
    public var latitude: Double? {
        get { if case .number(let value)? = self[.latitude].first { value } else { nil } }
        set { self[.latitude] = newValue.map { [.number($0)] } ?? [] }
    }

    /// Degrees east.
    public var longitude: Double? {
        get { if case .number(let value)? = self[.longitude].first { value } else { nil } }
        set { self[.longitude] = newValue.map { [.number($0)] } ?? [] }
    }

    /// Metres above the sea.
    public var altitude: Double? {
        get { if case .number(let value)? = self[.altitude].first { value } else { nil } }
        set { self[.altitude] = newValue.map { [.number($0)] } ?? [] }
    }

    /// What its place is called.
    public var namedLocation: String? {
        get { if case .text(let value)? = self[.namedLocation].first { value } else { nil } }
        set { self[.namedLocation] = newValue.map { [.text($0)] } ?? [] }
    }

    /// The street.
    public var thoroughfare: String? {
        get { if case .text(let value)? = self[.thoroughfare].first { value } else { nil } }
        set { self[.thoroughfare] = newValue.map { [.text($0)] } ?? [] }
    }

    /// The number in the street.
    public var subThoroughfare: String? {
        get { if case .text(let value)? = self[.subThoroughfare].first { value } else { nil } }
        set { self[.subThoroughfare] = newValue.map { [.text($0)] } ?? [] }
    }

    /// The city.
    public var city: String? {
        get { if case .text(let value)? = self[.city].first { value } else { nil } }
        set { self[.city] = newValue.map { [.text($0)] } ?? [] }
    }

    /// The state or province.
    public var stateOrProvince: String? {
        get { if case .text(let value)? = self[.stateOrProvince].first { value } else { nil } }
        set { self[.stateOrProvince] = newValue.map { [.text($0)] } ?? [] }
    }

    /// The postal code.
    public var postalCode: String? {
        get { if case .text(let value)? = self[.postalCode].first { value } else { nil } }
        set { self[.postalCode] = newValue.map { [.text($0)] } ?? [] }
    }

    /// The country.
    public var country: String? {
        get { if case .text(let value)? = self[.country].first { value } else { nil } }
        set { self[.country] = newValue.map { [.text($0)] } ?? [] }
    }

    /// The whole address in one text.
    public var fullyFormattedAddress: String? {
        get { if case .text(let value)? = self[.fullyFormattedAddress].first { value } else { nil } }
        set { self[.fullyFormattedAddress] = newValue.map { [.text($0)] } ?? [] }
    }

    /// Who made it.
    public var authors: [IndexedPerson] {
        get { self[.authors].compactMap { if case .person(let value) = $0 { value } else { nil } } }
        set { self[.authors] = newValue.map { .person($0) } }
    }

    /// The names of those who made it.
    public var authorNames: [String] {
        get { self[.authorNames].compactMap { if case .text(let value) = $0 { value } else { nil } } }
        set { self[.authorNames] = newValue.map { .text($0) } }
    }

    /// Their e-mail addresses.
    public var authorEmailAddresses: [String] {
        get { self[.authorEmailAddresses].compactMap { if case .text(let value) = $0 { value } else { nil } } }
        set { self[.authorEmailAddresses] = newValue.map { .text($0) } }
    }

    /// Whom it is for.
    public var recipients: [IndexedPerson] {
        get { self[.recipients].compactMap { if case .person(let value) = $0 { value } else { nil } } }
        set { self[.recipients] = newValue.map { .person($0) } }
    }

    /// The names of those it is for.
    public var recipientNames: [String] {
        get { self[.recipientNames].compactMap { if case .text(let value) = $0 { value } else { nil } } }
        set { self[.recipientNames] = newValue.map { .text($0) } }
    }

    /// Their e-mail addresses.
    public var recipientEmailAddresses: [String] {
        get { self[.recipientEmailAddresses].compactMap { if case .text(let value) = $0 { value } else { nil } } }
        set { self[.recipientEmailAddresses] = newValue.map { .text($0) } }
    }

    /// Numbers to call.
    public var phoneNumbers: [String] {
        get { self[.phoneNumbers].compactMap { if case .text(let value) = $0 { value } else { nil } } }
        set { self[.phoneNumbers] = newValue.map { .text($0) } }
    }

    /// Addresses to write to.
    public var emailAddresses: [String] {
        get { self[.emailAddresses].compactMap { if case .text(let value) = $0 { value } else { nil } } }
        set { self[.emailAddresses] = newValue.map { .text($0) } }
    }

    /// Words about people.
    public var contactKeywords: [String] {
        get { self[.contactKeywords].compactMap { if case .text(let value) = $0 { value } else { nil } } }
        set { self[.contactKeywords] = newValue.map { .text($0) } }
    }

    /// Whether its first number may be offered to be called.
    public var supportsPhoneCall: Bool? {
        get { if case .flag(let value)? = self[.supportsPhoneCall].first { value } else { nil } }
        set { self[.supportsPhoneCall] = newValue.map { [.flag($0)] } ?? [] }
    }

    /// Whether its place may be offered to be found.
    public var supportsNavigation: Bool? {
        get { if case .flag(let value)? = self[.supportsNavigation].first { value } else { nil } }
        set { self[.supportsNavigation] = newValue.map { [.flag($0)] } ?? [] }
    }

    /// The item an activity is about: both are one result, and go together.
    public var relatedUniqueIdentifier: String? {
        get { if case .text(let value)? = self[.relatedUniqueIdentifier].first { value } else { nil } }
        set { self[.relatedUniqueIdentifier] = newValue.map { [.text($0)] } ?? [] }
    }

    /// The same, but deleting that item leaves the activity.
    public var weakRelatedUniqueIdentifier: String? {
        get { if case .text(let value)? = self[.weakRelatedUniqueIdentifier].first { value } else { nil } }
        set { self[.weakRelatedUniqueIdentifier] = newValue.map { [.text($0)] } ?? [] }
    }

    /// Whether everybody may find it once enough different people have chosen it.
    public var eligibleForPublicIndexing: Bool? {
        get { if case .flag(let value)? = self[.eligibleForPublicIndexing].first { value } else { nil } }
        set { self[.eligibleForPublicIndexing] = newValue.map { [.flag($0)] } ?? [] }
    }
}
