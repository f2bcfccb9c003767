/// The kind of a thing, as far as items depend on it.
enum ThingKind: String {
    /// The page, or its site.
    case page, site
    /// Elements for navigation.
    case navigation
    /// A list of other things.
    case list
    /// An entry of a list.
    case entry
    case article, product, recipe, event, person, organization, business, place, image, audio, video, book
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

    /// The kinds of types, and of types with an ending, in `types.txt`.
    private static let (known, endings) = {
        var (known, endings): ([String: ThingKind], [(String, ThingKind)]) = ([:], [])
        for row in dataRows(of: PackageResources.types_txt) {
            guard let kind = ThingKind(rawValue: row[0]) else { continue }
            for type in row[1].split(separator: " ") {
                if type.hasPrefix("*") {
                    endings.append((String(type.dropFirst()), kind))
                } else {
                    known[String(type)] = kind
                }
            }
        }
        return (known, endings)
    }()
}
