/// An attribute of items from web pages.
public struct MarkupAttribute: Hashable, Sendable {
    /// The type of an attribute's values.
    public enum Kind: String, Hashable, Sendable {
        /// A string.
        case text
        /// A number.
        case number
        /// A date.
        case date
        /// A Boolean value.
        case flag
        /// Several strings.
        case texts
    }

    /// The name.
    public let name: String
    /// The type of the values.
    public let kind: Kind
    /// Indicates a custom attribute, which the index must declare.
    public let isCustom: Bool

    /// All attributes of items.
    public static let all: [MarkupAttribute] = standard + custom

    static let customNames = Set(custom.map(\.name))

    private static let standard =
        list(
            .text,
            """
            title contentDescription textContent contentType contentURL url thumbnailURL namedLocation thoroughfare
            city stateOrProvince postalCode country fullyFormattedAddress
            """)
        + list(.texts, "alternateNames keywords authorNames phoneNumbers emailAddresses")
        + list(.number, "rating latitude longitude altitude") + list(.date, "startDate endDate")
        + list(.flag, "allDay supportsPhoneCall supportsNavigation")

    // Offers; media; recipes and products; people, events and places; the site; apps.
    private static let custom =
        list(
            .text,
            """
            priceCurrency priceRange availability
            audioURL videoURL embedURL albumName
            recipeYield calories brand sku gtin isbn seriesName contentRating
            jobTitle organizationName organizerName eventStatus onlineURL
            siteName publisherName searchAction
            appStoreID appArgument affiliateData iosURL iosAppName androidURL androidPackage androidAppName windowsURL
            windowsAppID windowsAppName webURL
            """, isCustom: true)
        + list(
            .texts, "recipeIngredient openingHours directorNames actorNames performerNames sameAs", isCustom: true)
        + list(
            .number,
            """
            price lowPrice highPrice offerCount ratingCount reviewCount duration totalTime prepTime cookTime pageCount
            seasonCount episodeCount episodeNumber
            """, isCustom: true)
        + list(.date, "datePublished dateModified dateCreated priceValidUntil", isCustom: true)

    private static func list(_ kind: Kind, _ names: String, isCustom: Bool = false) -> [MarkupAttribute] {
        names.split(whereSeparator: \.isWhitespace).map {
            MarkupAttribute(name: String($0), kind: kind, isCustom: isCustom)
        }
    }
}

extension MarkupValue {
    /// The type of the value.
    public var kind: MarkupAttribute.Kind {
        switch self {
        case .text: .text
        case .number: .number
        case .date: .date
        case .flag: .flag
        case .texts: .texts
        }
    }
}
