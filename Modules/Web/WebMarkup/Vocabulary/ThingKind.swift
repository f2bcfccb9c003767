/// The kind of a thing, as far as items depend on it.
enum ThingKind: Hashable {
    /// The page, or its site.
    case page, site
    /// Elements for navigation.
    case navigation
    /// A list of other things.
    case list
    /// An entry of a list.
    case entry
    case article, product, recipe, event, person, organization, business, place, image, audio, video, book
    /// Any other kind.
    case other

    /// Creates the kind of the first known type.
    init(types: [String]) {
        self = types.lazy.map(Self.init(type:)).first { $0 != .other } ?? .other
    }

    private init(type: String) {
        self = Self.known[type] ?? Self.endings.first { type.hasSuffix($0.0) }?.1 ?? .other
    }

    /// The uniform type identifier.
    var contentType: String {
        switch self {
        case .event: "public.calendar-event"
        case .person, .organization, .business: "public.contact"
        case .image: "public.image"
        case .audio: "public.audio"
        case .video: "public.movie"
        default: "public.html"
        }
    }

    /// The kinds of types with an ending.
    private static let endings: [(String, ThingKind)] = pairs([
        (.event, "Event Festival"), (.page, "Page"), (.article, "Article Posting"), (.organization, "Organization"),
        (
            .business,
            "Store Shop Business Restaurant Agency Salon Repair Dealer Station Service Clinic School Contractor"
        ),
    ])

    private static let known = Dictionary(
        pairs([
            (.site, "WebSite"),
            (
                .navigation,
                """
                BreadcrumbList SiteNavigationElement WPHeader WPFooter WPSideBar WebPageElement SpeakableSpecification
                """
            ),
            (.list, "ItemList OfferCatalog"), (.entry, "ListItem"),
            (
                .article,
                """
                Article NewsArticle BlogPosting Blog Report TechArticle ScholarlyArticle Review CriticReview
                Recommendation
                """
            ),
            (
                .product,
                """
                Product ProductGroup ProductModel IndividualProduct Vehicle Car SoftwareApplication MobileApplication
                """
            ),
            (.recipe, "Recipe"), (.event, "Event Festival Hackathon CourseInstance"), (.person, "Person Patient"),
            (.organization, "Organization Corporation NGO Airline Consortium MusicGroup SportsTeam"),
            (
                .business,
                """
                LocalBusiness Bakery BarOrPub Brewery CafeOrCoffeeShop FastFoodRestaurant IceCreamShop Winery Distillery
                Hotel Hostel Motel BedAndBreakfast Resort Campground LodgingBusiness Dentist Physician Hospital Pharmacy
                Optician Attorney Notary Electrician Plumber Locksmith RoofingContractor Library MovieTheater NightClub
                Casino ComedyClub GolfCourse ExerciseGym HealthClub BowlingAlley AutoRental AutoWash BankOrCreditUnion
                AutomatedTeller ShoppingCenter DaySpa TattooParlor ChildCare RealEstateAgent EmergencyService
                FireStation PoliceStation PostOffice Florist Museum
                """
            ),
            (
                .place,
                """
                Place TouristAttraction Landmark Park Beach City Country Mountain CivicStructure Airport StadiumOrArena
                """
            ),
            (.image, "ImageObject Photograph"),
            (
                .audio,
                "AudioObject MusicRecording MusicAlbum MusicPlaylist PodcastEpisode PodcastSeries RadioEpisode Audiobook"
            ),
            (
                .video,
                "VideoObject Movie TVSeries TVSeason TVEpisode TVClip MovieSeries Episode Clip MusicVideoObject"
            ),
            (.book, "Book BookSeries ComicIssue"),
            // Not businesses, in spite of the suffix.
            (.other, "Service FinancialService GovernmentService BroadcastService JobPosting"),
        ]), uniquingKeysWith: { first, _ in first })

    private static func pairs(_ names: [(ThingKind, String)]) -> [(String, ThingKind)] {
        names.flatMap { kind, names in names.split(whereSeparator: \.isWhitespace).map { (String($0), kind) } }
    }
}
