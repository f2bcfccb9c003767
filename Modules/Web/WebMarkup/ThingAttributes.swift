import Foundation

// Attributes from schema.org properties.
//
// Properties are read independently of the type, so new types are supported as far as they use known properties.
extension ThingReader {
    func describe(_ thing: Int, in item: inout AttributeCollection) {
        let kind = kind(of: thing)
        describeText(thing, kind: kind, in: &item)
        describeMedia(thing, kind: kind, in: &item)
        describeContact(thing, kind: kind, in: &item)
        describeTime(thing, kind: kind, in: &item)
        describeOffers(thing, in: &item)
        describeDetails(thing, in: &item)
    }

    // MARK: - Texts and people

    private func describeText(_ thing: Int, kind: ThingKind, in item: inout AttributeCollection) {
        item.offer("title", text: kind == .article ? text(["headline"], of: thing) ?? name(of: thing) : name(of: thing))
        let alternatives = ["alternateName", "alternativeHeadline"].flatMap { texts([$0], of: thing) }
        item.offer("alternateNames", texts: alternatives)
        item.offer(
            "contentDescription",
            text: prose("description", of: thing) ?? prose("abstract", of: thing)
                ?? prose("reviewBody", "disambiguatingDescription", "acceptedAnswer", of: thing))
        item.offer("textContent", text: body(of: thing))
        let keywords = texts(["keywords"], of: thing, limit: MarkupText.maximumDescriptionLength).flatMap {
            $0.split(whereSeparator: { ",;".contains($0) }).compactMap { MarkupText.line($0, limit: 100) }
        }
        let topics = [
            "genre", "articleSection", "recipeCategory", "recipeCuisine", "servesCuisine", "applicationCategory",
        ]
        item.add("keywords", texts: keywords + topics.flatMap { texts([$0], of: thing, limit: 100) })
        if kind != .person, kind != .organization, kind != .business {
            let authors = ["author", "creator", "byArtist"].lazy.map { self.texts([$0], of: thing) }
            item.offer("authorNames", texts: authors.first { !$0.isEmpty } ?? [])
        }
    }

    /// Returns the text of an article, or the steps of a recipe.
    private func body(of thing: Int) -> String? {
        if let body = prose("articleBody", "transcript", of: thing, limit: MarkupText.maximumBodyLength) { return body }
        var steps: [String] = []
        for value in values(["recipeInstructions"], of: thing) {
            switch value {
            case .text(let text): steps.append(text)
            case .thing(let step):
                // A section contains steps, a step has text.
                let parts = things("itemListElement", of: step)
                for part in parts.isEmpty ? [step] : parts {
                    if let text = prose("text", "name", of: part) { steps.append(text) }
                }
            default: break
            }
        }
        return MarkupText.proseOfMarkup(steps.joined(separator: " "), limit: MarkupText.maximumBodyLength)
    }

    // MARK: - Media

    private func describeMedia(_ thing: Int, kind: ThingKind, in item: inout AttributeCollection) {
        let files = addresses(["contentUrl", "contentURL"], of: thing)
        let pictures = ["thumbnailUrl", "thumbnail", "image", "primaryImageOfPage", "photo", "logo"]
        item.offer(
            "thumbnailURL",
            text: pictures.lazy.compactMap { self.addresses([$0], of: thing).first }.first
                ?? (kind == .image ? files.first : nil))
        if kind == .audio { item.offer("audioURL", text: files.first) }
        if kind == .video { item.offer("videoURL", text: files.first) }
    }

    // MARK: - Contact and location

    private func describeContact(_ thing: Int, kind: ThingKind, in item: inout AttributeCollection) {
        let points = things("contactPoint", "contactPoints", of: thing)
        let phones =
            contacts("telephone", of: thing, limit: 64) + points.flatMap { contacts("telephone", of: $0, limit: 64) }
        let numbers = phones.compactMap(Self.phoneNumber)
        item.offer("phoneNumbers", texts: numbers)
        if !numbers.isEmpty { item.offer("supportsPhoneCall", .flag(true)) }
        let mails = contacts("email", of: thing, limit: 320) + points.flatMap { contacts("email", of: $0, limit: 320) }
        item.offer("emailAddresses", texts: mails.compactMap(Self.mailAddress))

        // A place is a location itself; events and people have one.
        let place = things("location", "jobLocation", "contentLocation", "workLocation", "homeLocation", of: thing)
            .first { self.graph.things[$0].types.first != "VirtualLocation" }
        for holder in [thing, place].compactMap({ $0 }) { describePlace(holder, in: &item) }
        let isPlace = kind == .business || kind == .place
        item.offer(
            "namedLocation",
            text: place.flatMap { name(of: $0) }
                ?? (isPlace ? name(of: thing) : text(["location", "jobLocation"], of: thing)))
        let virtual = things("location", of: thing).first { self.graph.things[$0].types.first == "VirtualLocation" }
        item.offer("onlineURL", text: virtual.flatMap { addresses(["url"], of: $0).first })
    }

    /// Returns the targets of `tel:` and `mailto:` links, otherwise the texts of a property.
    private func contacts(_ property: String, of thing: Int, limit: Int) -> [String] {
        let targets = values([property], of: thing).compactMap { value -> String? in
            guard case .address(let target, _) = value, target.hasPrefix("tel:") || target.hasPrefix("mailto:") else {
                return nil
            }
            return MarkupText.line(target.removingPercentEncoding ?? target, limit: limit)
        }
        return targets.isEmpty ? texts([property], of: thing, limit: limit) : targets
    }

    private func describePlace(_ place: Int, in item: inout AttributeCollection) {
        var lines: [String] = []
        if let address = things("address", of: place).first {
            let parts = [
                ("thoroughfare", "streetAddress"), ("postalCode", "postalCode"), ("city", "addressLocality"),
                ("stateOrProvince", "addressRegion"), ("country", "addressCountry"),
            ]
            for (attribute, property) in parts {
                guard let part = text([property], of: address) else { continue }
                item.offer(attribute, text: part)
                lines.append(part)
            }
        } else if let address = text(["address"], of: place) {
            lines.append(address)
        }
        item.offer("fullyFormattedAddress", text: lines.isEmpty ? nil : lines.joined(separator: ", "))
        let points = [place] + things("geo", of: place)
        for point in points {
            guard let latitude = number(["latitude"], of: point, as: .coordinate),
                let longitude = number(["longitude"], of: point, as: .coordinate),
                abs(latitude) <= 90, abs(longitude) <= 180
            else { continue }
            item.offer("latitude", number: latitude)
            item.offer("longitude", number: longitude)
            item.offer("altitude", number: number(["elevation"], of: point))
        }
        if !lines.isEmpty || item.values["latitude"] != nil { item.offer("supportsNavigation", .flag(true)) }
    }

    /// Returns a phone number with at least three digits, without `tel:`.
    static func phoneNumber(_ text: String) -> String? {
        let number = text.lowercased().hasPrefix("tel:") ? String(text.dropFirst(4)) : text
        return number.count { $0.isNumber } >= 3 ? number : nil
    }

    static func mailAddress(_ text: String) -> String? {
        let address = text.lowercased().hasPrefix("mailto:") ? String(text.dropFirst(7).prefix { $0 != "?" }) : text
        return address.contains("@") && !address.contains(" ") ? address : nil
    }

    // MARK: - Times

    private func describeTime(_ thing: Int, kind: ThingKind, in item: inout AttributeCollection) {
        if let start = date(["startDate"], of: thing) {
            item.offer("startDate", date: start.date)
            item.offer("allDay", .flag(start.isDay))
        }
        let published = ["datePublished", "uploadDate", "datePosted", "releaseDate"]
        item.offer("datePublished", date: published.lazy.compactMap { self.date([$0], of: thing)?.date }.first)
        item.offer("openingHours", texts: openingHours(of: thing))
    }

    /// Returns opening hours as given (`Mo-Fr 09:00-17:00`), or built from days and times.
    private func openingHours(of thing: Int) -> [String] {
        let written = texts(["openingHours"], of: thing, limit: 200)
        guard written.isEmpty else { return written }
        return things("openingHoursSpecification", of: thing).compactMap { hours in
            guard let opens = text(["opens"], of: hours, limit: 20), let closes = text(["closes"], of: hours, limit: 20)
            else { return nil }
            let days = values(["dayOfWeek"], of: hours).compactMap { value -> String? in
                switch value {
                case .text(let text), .address(let text, _):
                    text.split(separator: "/").last.map { String($0.prefix(2)) }
                default: nil
                }
            }
            return (days.joined(separator: ",") + " \(opens)-\(closes)").trimmingCharacters(in: .whitespaces)
        }
    }
}

// Offers, ratings, and attributes of specific types.

extension ThingReader {
    func describeOffers(_ thing: Int, in item: inout AttributeCollection) {
        let offers =
            (kind(of: thing) == .other && number(["price"], of: thing, as: .price(currency: nil)) != nil ? [thing] : [])
            + things("offers", of: thing)
        var prices: [Double] = []
        for offer in offers {
            let specifications = things("priceSpecification", of: offer)
            let currency =
                text(["priceCurrency"], of: offer, limit: 16)
                ?? specifications.lazy.compactMap { self.text(["priceCurrency"], of: $0, limit: 16) }.first
            let price = MarkupNumber.Meaning.price(currency: currency)
            if let price = number(["price"], of: offer, as: price)
                ?? specifications.lazy.compactMap({ self.number(["price"], of: $0, as: price) }).first
            {
                prices.append(price)
            }
            item.offer("priceCurrency", text: currency)
            item.offer("lowPrice", number: number(["lowPrice"], of: offer, as: price))
            item.offer("highPrice", number: number(["highPrice"], of: offer, as: price))
            item.offer("offerCount", number: number(["offerCount"], of: offer, as: .count))
            item.offer("availability", text: term("availability", of: offer))
            item.offer("priceValidUntil", date: date(["priceValidUntil"], of: offer)?.date)
        }
        if let low = prices.min(), let high = prices.max() {
            if low == high {
                item.offer("price", number: low)
            } else {
                item.offer("lowPrice", number: low)
                item.offer("highPrice", number: high)
                item.offer("offerCount", number: Double(prices.count))
            }
        }
    }

    /// Adds the rating, normalized to a scale of five.
    private func describeRating(_ thing: Int, in item: inout AttributeCollection) {
        let ratings = things("aggregateRating", of: thing)
        let rating = ratings.first ?? things("reviewRating", of: thing).first
        guard let rating else { return }
        if let value = number(["ratingValue"], of: rating) {
            let best = number(["bestRating"], of: rating) ?? 5
            if best > 0, value >= 0, value <= best { item.offer("rating", number: value * 5 / best) }
        }
        item.offer("ratingCount", number: number(["ratingCount"], of: rating, as: .count))
        item.offer("reviewCount", number: number(["reviewCount"], of: rating, as: .count))
    }

    func describeDetails(_ thing: Int, in item: inout AttributeCollection) {
        describeRating(thing, in: &item)
        copyProperties(of: thing, to: &item)
        let calories = things("nutrition", of: thing).first.flatMap { text(["calories"], of: $0, limit: 100) }
        item.offer("calories", text: calories)
        let editions = things("workExample", of: thing)
        item.offer("isbn", text: editions.lazy.compactMap { self.text(["isbn"], of: $0, limit: 20) }.first)
        item.offer("searchAction", text: searchAction(of: thing))
    }

    /// Returns the URL template for searching the site, such as `https://example.org/?q={search_term_string}`.
    private func searchAction(of thing: Int) -> String? {
        for action in things("potentialAction", of: thing)
        where graph.things[action].types.contains("SearchAction") {
            let templates = things("target", of: action).flatMap {
                texts(["urlTemplate"], of: $0, limit: PageURL.maximumLength)
            }
            for template in templates + texts(["target"], of: action, limit: PageURL.maximumLength)
                + addresses(["target"], of: action)
            {
                if let address = address(template), address.contains("{") { return address }
            }
        }
        return nil
    }
}
