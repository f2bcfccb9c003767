/// An attribute that items out of web pages have.
public struct MarkupAttribute: Hashable, Sendable {
    /// What its values are.
    public enum Kind: String, Hashable, Sendable {
        /// A text.
        case text
        /// A number.
        case number
        /// A moment.
        case date
        /// Yes or no.
        case flag
        /// Several texts.
        case texts
    }

    /// Its name.
    public let name: String
    /// What its values are.
    public let kind: Kind
    /// Whether it is none of those that every item of the index may have, and must be declared.
    public let isCustom: Bool

    /// All of them. An item has no other ones.
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
                    // Prices
                    "priceCurrency", "priceRange", "availability",
                    // Things to play and to look at
                    "audioURL", "videoURL", "embedURL", "albumName",
                    // Recipes and products
                    "recipeYield", "calories", "brand", "sku", "gtin", "isbn", "seriesName", "contentRating",
                    // People, events, places
                    "jobTitle", "organizationName", "organizerName", "eventStatus", "onlineURL",
                    // The site and its search
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
    /// What it is.
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
