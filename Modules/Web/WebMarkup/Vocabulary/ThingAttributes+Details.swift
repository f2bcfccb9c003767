// Offers, ratings, and attributes of specific types.
extension ThingReader {
    func describeOffers(_ thing: Int, in item: inout AttributeCollection) {
        let offers =
            (kind(of: thing) == .other && number(["price"], of: thing) != nil ? [thing] : [])
            + things("offers", of: thing)
        var prices: [Double] = []
        for offer in offers {
            let specifications = things("priceSpecification", of: offer)
            if let price = number(["price"], of: offer)
                ?? specifications.lazy.compactMap({ self.number(["price"], of: $0) }).first
            {
                prices.append(price)
            }
            let currency =
                text(["priceCurrency"], of: offer, limit: 16)
                ?? specifications.lazy.compactMap { self.text(["priceCurrency"], of: $0, limit: 16) }.first
            item.offer("priceCurrency", text: currency)
            item.offer("lowPrice", number: number(["lowPrice"], of: offer))
            item.offer("highPrice", number: number(["highPrice"], of: offer))
            item.offer("offerCount", number: number(["offerCount"], of: offer))
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
        item.offer("ratingCount", number: number(["ratingCount"], of: rating))
        item.offer("reviewCount", number: number(["reviewCount"], of: rating))
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
