public import Foundation

// Attributes as properties.

extension SearchableItemAttributeSet {
    /// The title.
    public var title: String? {
        get { if case .text(let value)? = self[.title].first { value } else { nil } }
        set { self[.title] = newValue.map { [.text($0)] } ?? [] }
    }

    /// The name for display, if it differs from the title.
    public var displayName: String? {
        get { if case .text(let value)? = self[.displayName].first { value } else { nil } }
        set { self[.displayName] = newValue.map { [.text($0)] } ?? [] }
    }

    /// Alternate names.
    public var alternateNames: [String] {
        get { self[.alternateNames].compactMap { if case .text(let value) = $0 { value } else { nil } } }
        set { self[.alternateNames] = newValue.map { .text($0) } }
    }

    /// Keywords.
    public var keywords: [String] {
        get { self[.keywords].compactMap { if case .text(let value) = $0 { value } else { nil } } }
        set { self[.keywords] = newValue.map { .text($0) } }
    }

    /// A description in a sentence or two.
    public var contentDescription: String? {
        get { if case .text(let value)? = self[.contentDescription].first { value } else { nil } }
        set { self[.contentDescription] = newValue.map { [.text($0)] } ?? [] }
    }

    /// The full text; searched last, shown as a snippet.
    public var textContent: String? {
        get { if case .text(let value)? = self[.textContent].first { value } else { nil } }
        set { self[.textContent] = newValue.map { [.text($0)] } ?? [] }
    }

    /// A uniform type identifier, such as public.movie.
    public var contentType: String? {
        get { if case .text(let value)? = self[.contentType].first { value } else { nil } }
        set { self[.contentType] = newValue.map { [.text($0)] } ?? [] }
    }

    /// The content type and the types it conforms to; derived from ``contentType`` unless given.
    public var contentTypeTree: [String] {
        get { self[.contentTypeTree].compactMap { if case .text(let value) = $0 { value } else { nil } } }
        set { self[.contentTypeTree] = newValue.map { .text($0) } }
    }

    /// The URL of the content itself.
    public var contentURL: String? {
        get { if case .text(let value)? = self[.contentURL].first { value } else { nil } }
        set { self[.contentURL] = newValue.map { [.text($0)] } ?? [] }
    }

    /// The URL of the page that shows the item.
    public var url: String? {
        get { if case .text(let value)? = self[.url].first { value } else { nil } }
        set { self[.url] = newValue.map { [.text($0)] } ?? [] }
    }

    /// The path of the file.
    public var path: String? {
        get { if case .text(let value)? = self[.path].first { value } else { nil } }
        set { self[.path] = newValue.map { [.text($0)] } ?? [] }
    }

    /// The URL of a thumbnail.
    public var thumbnailURL: String? {
        get { if case .text(let value)? = self[.thumbnailURL].first { value } else { nil } }
        set { self[.thumbnailURL] = newValue.map { [.text($0)] } ?? [] }
    }

    /// The image data of a thumbnail.
    public var thumbnailData: Data? {
        get { if case .data(let value)? = self[.thumbnailData].first { value } else { nil } }
        set { self[.thumbnailData] = newValue.map { [.data($0)] } ?? [] }
    }

    /// The importance among the items of its app, from 0 to 100; 50 by default.
    public var rankingHint: Double? {
        get { if case .number(let value)? = self[.rankingHint].first { value } else { nil } }
        set { self[.rankingHint] = newValue.map { [.number($0)] } ?? [] }
    }

    /// The date of the last use.
    public var lastUsedDate: Date? {
        get { if case .date(let value)? = self[.lastUsedDate].first { value } else { nil } }
        set { self[.lastUsedDate] = newValue.map { [.date($0)] } ?? [] }
    }

    /// The rating.
    public var rating: Double? {
        get { if case .number(let value)? = self[.rating].first { value } else { nil } }
        set { self[.rating] = newValue.map { [.number($0)] } ?? [] }
    }

    /// The number of times the item was played.
    public var playCount: Double? {
        get { if case .number(let value)? = self[.playCount].first { value } else { nil } }
        set { self[.playCount] = newValue.map { [.number($0)] } ?? [] }
    }

    /// Indicates that the user created the item.
    public var userCreated: Bool? {
        get { if case .flag(let value)? = self[.userCreated].first { value } else { nil } }
        set { self[.userCreated] = newValue.map { [.flag($0)] } ?? [] }
    }

    /// Indicates that the user chose the item, for example for a playlist.
    public var userCurated: Bool? {
        get { if case .flag(let value)? = self[.userCurated].first { value } else { nil } }
        set { self[.userCurated] = newValue.map { [.flag($0)] } ?? [] }
    }

    /// Indicates that the user bought the item.
    public var userOwned: Bool? {
        get { if case .flag(let value)? = self[.userOwned].first { value } else { nil } }
        set { self[.userOwned] = newValue.map { [.flag($0)] } ?? [] }
    }

    /// The start date.
    public var startDate: Date? {
        get { if case .date(let value)? = self[.startDate].first { value } else { nil } }
        set { self[.startDate] = newValue.map { [.date($0)] } ?? [] }
    }

    /// The end date.
    public var endDate: Date? {
        get { if case .date(let value)? = self[.endDate].first { value } else { nil } }
        set { self[.endDate] = newValue.map { [.date($0)] } ?? [] }
    }

    /// The due date.
    public var dueDate: Date? {
        get { if case .date(let value)? = self[.dueDate].first { value } else { nil } }
        set { self[.dueDate] = newValue.map { [.date($0)] } ?? [] }
    }

    /// The completion date.
    public var completionDate: Date? {
        get { if case .date(let value)? = self[.completionDate].first { value } else { nil } }
        set { self[.completionDate] = newValue.map { [.date($0)] } ?? [] }
    }

    /// Other dates.
    public var importantDates: [Date] {
        get { self[.importantDates].compactMap { if case .date(let value) = $0 { value } else { nil } } }
        set { self[.importantDates] = newValue.map { .date($0) } }
    }

    /// Indicates an all-day event.
    public var allDay: Bool? {
        get { if case .flag(let value)? = self[.allDay].first { value } else { nil } }
        set { self[.allDay] = newValue.map { [.flag($0)] } ?? [] }
    }

    /// The latitude in degrees.
    public var latitude: Double? {
        get { if case .number(let value)? = self[.latitude].first { value } else { nil } }
        set { self[.latitude] = newValue.map { [.number($0)] } ?? [] }
    }

    /// The longitude in degrees.
    public var longitude: Double? {
        get { if case .number(let value)? = self[.longitude].first { value } else { nil } }
        set { self[.longitude] = newValue.map { [.number($0)] } ?? [] }
    }

    /// The altitude in metres above sea level.
    public var altitude: Double? {
        get { if case .number(let value)? = self[.altitude].first { value } else { nil } }
        set { self[.altitude] = newValue.map { [.number($0)] } ?? [] }
    }

    /// The name of the location.
    public var namedLocation: String? {
        get { if case .text(let value)? = self[.namedLocation].first { value } else { nil } }
        set { self[.namedLocation] = newValue.map { [.text($0)] } ?? [] }
    }

    /// The street.
    public var thoroughfare: String? {
        get { if case .text(let value)? = self[.thoroughfare].first { value } else { nil } }
        set { self[.thoroughfare] = newValue.map { [.text($0)] } ?? [] }
    }

    /// The house number.
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

    /// The complete address as one string.
    public var fullyFormattedAddress: String? {
        get { if case .text(let value)? = self[.fullyFormattedAddress].first { value } else { nil } }
        set { self[.fullyFormattedAddress] = newValue.map { [.text($0)] } ?? [] }
    }

    /// The authors.
    public var authors: [IndexedPerson] {
        get { self[.authors].compactMap { if case .person(let value) = $0 { value } else { nil } } }
        set { self[.authors] = newValue.map { .person($0) } }
    }

    /// The names of the authors.
    public var authorNames: [String] {
        get { self[.authorNames].compactMap { if case .text(let value) = $0 { value } else { nil } } }
        set { self[.authorNames] = newValue.map { .text($0) } }
    }

    /// The e-mail addresses of the authors.
    public var authorEmailAddresses: [String] {
        get { self[.authorEmailAddresses].compactMap { if case .text(let value) = $0 { value } else { nil } } }
        set { self[.authorEmailAddresses] = newValue.map { .text($0) } }
    }

    /// The recipients.
    public var recipients: [IndexedPerson] {
        get { self[.recipients].compactMap { if case .person(let value) = $0 { value } else { nil } } }
        set { self[.recipients] = newValue.map { .person($0) } }
    }

    /// The names of the recipients.
    public var recipientNames: [String] {
        get { self[.recipientNames].compactMap { if case .text(let value) = $0 { value } else { nil } } }
        set { self[.recipientNames] = newValue.map { .text($0) } }
    }

    /// The e-mail addresses of the recipients.
    public var recipientEmailAddresses: [String] {
        get { self[.recipientEmailAddresses].compactMap { if case .text(let value) = $0 { value } else { nil } } }
        set { self[.recipientEmailAddresses] = newValue.map { .text($0) } }
    }

    /// Phone numbers.
    public var phoneNumbers: [String] {
        get { self[.phoneNumbers].compactMap { if case .text(let value) = $0 { value } else { nil } } }
        set { self[.phoneNumbers] = newValue.map { .text($0) } }
    }

    /// E-mail addresses.
    public var emailAddresses: [String] {
        get { self[.emailAddresses].compactMap { if case .text(let value) = $0 { value } else { nil } } }
        set { self[.emailAddresses] = newValue.map { .text($0) } }
    }

    /// Keywords about the people involved.
    public var contactKeywords: [String] {
        get { self[.contactKeywords].compactMap { if case .text(let value) = $0 { value } else { nil } } }
        set { self[.contactKeywords] = newValue.map { .text($0) } }
    }

    /// Indicates that the first phone number can be called.
    public var supportsPhoneCall: Bool? {
        get { if case .flag(let value)? = self[.supportsPhoneCall].first { value } else { nil } }
        set { self[.supportsPhoneCall] = newValue.map { [.flag($0)] } ?? [] }
    }

    /// Indicates that the location can be navigated to.
    public var supportsNavigation: Bool? {
        get { if case .flag(let value)? = self[.supportsNavigation].first { value } else { nil } }
        set { self[.supportsNavigation] = newValue.map { [.flag($0)] } ?? [] }
    }

    /// The item that an activity is about. Both are one result, and deleting the item deletes the activity.
    public var relatedUniqueIdentifier: String? {
        get { if case .text(let value)? = self[.relatedUniqueIdentifier].first { value } else { nil } }
        set { self[.relatedUniqueIdentifier] = newValue.map { [.text($0)] } ?? [] }
    }

    /// The item that an activity is about. Both are one result, but deleting the item keeps the activity.
    public var weakRelatedUniqueIdentifier: String? {
        get { if case .text(let value)? = self[.weakRelatedUniqueIdentifier].first { value } else { nil } }
        set { self[.weakRelatedUniqueIdentifier] = newValue.map { [.text($0)] } ?? [] }
    }

    /// Indicates that everyone can find the item once enough users have engaged with it.
    public var eligibleForPublicIndexing: Bool? {
        get { if case .flag(let value)? = self[.eligibleForPublicIndexing].first { value } else { nil } }
        set { self[.eligibleForPublicIndexing] = newValue.map { [.flag($0)] } ?? [] }
    }
}
