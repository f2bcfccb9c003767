import Foundation

/// A reader of properties that converts values to the requested type.
struct ThingReader {
    let graph: ThingGraph
    let base: PageURL?
    let zone: TimeZone

    /// The maximum number of values per property.
    private static let maximumValues = 200

    func kind(of thing: Int) -> ThingKind { ThingKind(types: graph.things[thing].types) }

    /// Returns the values of the first property that has any.
    func values(_ properties: [String], of thing: Int) -> ArraySlice<ThingGraph.Value> {
        for property in properties {
            if let found = graph.things[thing].properties[property], !found.isEmpty {
                return found.prefix(Self.maximumValues)
            }
        }
        return []
    }

    /// Returns the things among the values of a property.
    func things(_ properties: String..., of thing: Int) -> [Int] {
        values(properties, of: thing).compactMap { if case .thing(let other) = $0 { other } else { nil } }
    }

    // MARK: - Texts

    /// Returns the texts of a property as lines; things are represented by their names.
    func texts(_ properties: [String], of thing: Int, limit: Int = MarkupText.maximumLineLength) -> [String] {
        values(properties, of: thing).compactMap { text($0, from: thing, limit: limit) }
    }

    func text(_ properties: [String], of thing: Int, limit: Int = MarkupText.maximumLineLength) -> String? {
        first(properties, of: thing) { text($0, from: thing, limit: limit) }
    }

    /// Returns the first usable value of the first property that has any.
    private func first<Result>(
        _ properties: [String], of thing: Int, _ read: (ThingGraph.Value) -> Result?
    ) -> Result? {
        for value in values(properties, of: thing) {
            if let result = read(value) { return result }
        }
        return nil
    }

    /// Returns the first text of a property without markup.
    func prose(_ properties: String..., of thing: Int, limit: Int = MarkupText.maximumDescriptionLength) -> String? {
        first(properties, of: thing) { value in
            switch value {
            case .text(let text):
                graph.things[thing].source == .linkedData
                    ? MarkupText.proseOfMarkup(text, limit: limit) : MarkupText.line(text, limit: limit)
            case .thing(let other):
                first(["text", "name", "description"], of: other) {
                    if case .text(let text) = $0 { MarkupText.proseOfMarkup(text, limit: limit) } else { nil }
                }
            default: nil
            }
        }
    }

    private func text(_ value: ThingGraph.Value, from thing: Int, limit: Int) -> String? {
        switch value {
        case .text(let text):
            graph.things[thing].source == .linkedData
                ? MarkupText.lineOfMarkup(text, limit: limit) : MarkupText.line(text, limit: limit)
        case .number(let number): Int(exactly: number).map(String.init) ?? String(number)
        case .flag: nil
        case .address(_, let text): MarkupText.line(text, limit: limit)
        case .thing(let other): name(of: other)
        }
    }

    /// Returns the name of a thing, or of a person from its parts.
    ///
    /// - Parameter depth: The number of things that may stand for the name in turn: `{"name": {"name": "Di Voss"}}`.
    func name(of thing: Int, depth: Int = 4) -> String? {
        guard depth > 0 else { return nil }
        for property in ["name", "headline", "legalName"] {
            for value in values([property], of: thing) {
                if case .thing(let other) = value {
                    if let text = name(of: other, depth: depth - 1) { return text }
                } else if let text = text(value, from: thing, limit: MarkupText.maximumLineLength) {
                    return text
                }
            }
        }
        let parts = ["givenName", "additionalName", "familyName"].compactMap { property -> String? in
            guard case .text(let text)? = values([property], of: thing).first else { return nil }
            return MarkupText.lineOfMarkup(text)
        }
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }

    func copyProperties(of thing: Int, to item: inout AttributeCollection) {
        for source in AttributeSource.copyingProperties {
            let (name, properties, limit) = (source.attribute.name, source.properties, source.limit)
            switch source.form {
            case .text: item.offer(name, text: text(properties, of: thing, limit: limit))
            case .texts: item.offer(name, texts: texts(properties, of: thing, limit: limit))
            case .url: item.offer(name, text: addresses(properties, of: thing).first)
            case .urls: item.offer(name, texts: addresses(properties, of: thing))
            case .term: item.offer(name, text: properties.first.flatMap { term($0, of: thing) })
            case .number: item.offer(name, number: number(properties, of: thing))
            case .count: item.offer(name, number: number(properties, of: thing, as: .count))
            case .price: item.offer(name, number: number(properties, of: thing, as: .price(currency: nil)))
            case .seconds: item.offer(name, number: seconds(properties, of: thing))
            case .date: item.offer(name, date: date(properties, of: thing)?.date)
            case .flag: break
            }
        }
    }

    // MARK: - Numbers, dates and URLs

    func number(
        _ properties: [String], of thing: Int, as meaning: MarkupNumber.Meaning = .measure
    ) -> Double? {
        first(properties, of: thing) { value in
            switch value {
            case .number(let number): MarkupNumber.checked(number, as: meaning)
            case .text(let text): MarkupNumber.read(text, as: meaning)
            default: nil
            }
        }
    }

    func date(_ properties: [String], of thing: Int) -> MarkupDate? {
        first(properties, of: thing) { if case .text(let text) = $0 { MarkupDate(text, zone: zone) } else { nil } }
    }

    func seconds(_ properties: [String], of thing: Int) -> Double? {
        first(properties, of: thing) { value in
            switch value {
            case .number(let number): number >= 0 ? number : nil
            case .text(let text): MarkupDuration.seconds(text)
            default: nil
            }
        }
    }

    /// Returns the web URLs of a property; things are represented by their URL or their file's URL.
    func addresses(_ properties: [String], of thing: Int) -> [String] {
        values(properties, of: thing).compactMap { value in
            guard case .thing(let other) = value else { return address(of: value) }
            return ["contentUrl", "url", "embedUrl"].lazy.compactMap { first([$0], of: other, address(of:)) }.first
                ?? graph.things[other].id.flatMap(address)
        }
    }

    private func address(of value: ThingGraph.Value) -> String? {
        switch value {
        case .text(let text), .address(let text, _): address(text)
        default: nil
        }
    }

    /// Returns a web URL resolved against the page; `nil` if it is not a web URL.
    func address(_ text: String) -> String? {
        PageURL(text)?.resolved(against: base).webText
    }

    /// Returns the last component of a term such as `https://schema.org/InStock`.
    func term(_ property: String, of thing: Int) -> String? {
        for value in values([property], of: thing) {
            switch value {
            case .text(let text), .address(let text, _):
                if let last = text.split(separator: "/").last, let term = MarkupText.line(last, limit: 64) {
                    return term
                }
            case .thing(let other):
                if let last = (graph.things[other].id ?? name(of: other))?.split(separator: "/").last {
                    return String(last.prefix(64))
                }
            default: break
            }
        }
        return nil
    }
}

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
