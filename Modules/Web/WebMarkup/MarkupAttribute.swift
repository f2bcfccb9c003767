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

    private static let standard = list(
        isCustom: false,
        [
            (
                .text,
                [
                    "title", "contentDescription", "textContent", "contentType", "contentURL", "url", "thumbnailURL",
                    "namedLocation", "thoroughfare", "city", "stateOrProvince", "postalCode", "country",
                    "fullyFormattedAddress",
                ]
            ),
            (.texts, ["alternateNames", "keywords", "authorNames", "phoneNumbers", "emailAddresses"]),
            (.number, ["rating", "latitude", "longitude", "altitude"]),
            (.date, ["startDate", "endDate"]),
            (.flag, ["allDay", "supportsPhoneCall", "supportsNavigation"]),
        ])

    private static let custom = list(
        isCustom: true,
        [
            (
                .text,
                [
                    // Offers
                    "priceCurrency", "priceRange", "availability",
                    // Media
                    "audioURL", "videoURL", "embedURL", "albumName",
                    // Recipes and products
                    "recipeYield", "calories", "brand", "sku", "gtin", "isbn", "seriesName", "contentRating",
                    // People, events and places
                    "jobTitle", "organizationName", "organizerName", "eventStatus", "onlineURL",
                    // Site
                    "siteName", "publisherName", "searchAction",
                    // Apps
                    "appStoreID", "appArgument", "affiliateData", "iosURL", "iosAppName", "androidURL",
                    "androidPackage",
                    "androidAppName", "windowsURL", "windowsAppID", "windowsAppName", "webURL",
                ]
            ),
            (
                .texts,
                [
                    "recipeIngredient", "openingHours", "directorNames", "actorNames", "performerNames", "sameAs",
                ]
            ),
            (
                .number,
                [
                    "price", "lowPrice", "highPrice", "offerCount", "ratingCount", "reviewCount", "duration",
                    "totalTime",
                    "prepTime", "cookTime", "pageCount", "seasonCount", "episodeCount", "episodeNumber",
                ]
            ),
            (.date, ["datePublished", "dateModified", "dateCreated", "priceValidUntil"]),
        ])

    private static func list(isCustom: Bool, _ names: [(Kind, [String])]) -> [MarkupAttribute] {
        names.flatMap { kind, names in
            names.map { MarkupAttribute(name: $0, kind: kind, isCustom: isCustom) }
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
