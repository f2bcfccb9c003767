import Foundation

/// The tags for shared links, such as Open Graph and Twitter cards, and all others that are copied.
struct OpenGraph {
    let head: PageHead
    let zone: TimeZone

    /// The schema.org type for `og:type`; `nil` if unknown or `website`, which is generic.
    var kind: String? {
        switch head.meta("og:type")?.lowercased() {
        case "article": "Article"
        case "book", "books.book": "Book"
        case "profile": "Person"
        case "product", "product.item", "og:product": "Product"
        case "place", "business.business", "restaurant.restaurant": "LocalBusiness"
        case "music.song": "MusicRecording"
        case "music.album": "MusicAlbum"
        case "music.playlist": "MusicPlaylist"
        case "video.movie": "Movie"
        case "video.tv_show": "TVSeries"
        case "video.episode": "TVEpisode"
        case "video.other", "video": "VideoObject"
        case "event", "events.event": "Event"
        default: nil
        }
    }

    func describe(in item: inout AttributeCollection) {
        describeVideo(in: &item)
        describeArticle(in: &item)
        describeWork(in: &item)
        describePlace(in: &item)
        for source in AttributeSource.copyingTags {
            let (name, tags) = (source.attribute.name, source.tags)
            switch source.form {
            case .url: item.offer(name, text: head.address(tags))
            case .number, .seconds: item.offer(name, number: number(tags))
            case .date: item.offer(name, date: date(tags))
            default: item.offer(name, text: head.meta(tags, limit: source.limit))
            }
        }
    }

    private func number(_ names: [String]) -> Double? {
        names.lazy.compactMap { self.head.meta($0).flatMap(MarkupNumber.read) }.first
    }

    private func date(_ names: [String]) -> Date? {
        names.lazy.compactMap { self.head.meta($0).flatMap { MarkupDate($0, zone: self.zone)?.date } }.first
    }

    /// Adds the video; a player page is an embed URL, not a video URL.
    private func describeVideo(in item: inout AttributeCollection) {
        guard let address = head.address(["og:video:secure_url", "og:video:url", "og:video"]) else { return }
        let isPage = head.meta("og:video:type").map { $0.lowercased().hasPrefix("text/html") } ?? false
        item.offer(isPage ? "embedURL" : "videoURL", text: address)
    }

    private func describeArticle(in item: inout AttributeCollection) {
        // Authors can be profile URLs, which are not names.
        let authors = ["article:author", "book:author", "music:musician", "author"].flatMap { head.metas($0) }
        item.offer("authorNames", texts: authors.filter { !$0.contains("://") })
        let topics = ["article:tag", "article:section", "book:tag", "video:tag", "og:video:tag"].flatMap {
            head.metas($0, limit: 100)
        }
        item.add("keywords", texts: topics)
    }

    private func describeWork(in item: inout AttributeCollection) {
        item.offer("albumName", text: head.meta("music:album").flatMap { $0.contains("://") ? nil : $0 })
        item.offer("directorNames", texts: head.metas("video:director").filter { !$0.contains("://") })
        item.offer("actorNames", texts: head.metas("video:actor").filter { !$0.contains("://") })
        item.offer("seriesName", text: head.meta("video:series").flatMap { $0.contains("://") ? nil : $0 })
        let names = [head.meta("profile:first_name"), head.meta("profile:last_name")].compactMap { $0 }
        if kind == "Person", !names.isEmpty { item.add("alternateNames", texts: [names.joined(separator: " ")]) }
        if let user = head.meta("profile:username") { item.add("alternateNames", texts: [user]) }
    }

    private func describePlace(in item: inout AttributeCollection) {
        let parts = [
            ("thoroughfare", "business:contact_data:street_address"),
            ("postalCode", "business:contact_data:postal_code"),
            ("city", "business:contact_data:locality"), ("stateOrProvince", "business:contact_data:region"),
            ("country", "business:contact_data:country_name"),
        ]
        var lines: [String] = []
        for (attribute, name) in parts {
            guard let part = head.meta(name, limit: 200) else { continue }
            item.offer(attribute, text: part)
            lines.append(part)
        }
        item.offer("fullyFormattedAddress", text: lines.isEmpty ? nil : lines.joined(separator: ", "))
        if let latitude = number(["place:location:latitude"]), let longitude = number(["place:location:longitude"]),
            abs(latitude) <= 90, abs(longitude) <= 180, item.values["latitude"] == nil
        {
            item.offer("latitude", number: latitude)
            item.offer("longitude", number: longitude)
            item.offer("supportsNavigation", .flag(true))
        }
        if !lines.isEmpty { item.offer("supportsNavigation", .flag(true)) }
        if let number = head.meta("business:contact_data:phone_number", limit: 64).flatMap(ThingReader.phoneNumber) {
            item.offer("phoneNumbers", texts: [number])
            item.offer("supportsPhoneCall", .flag(true))
        }
        if let mail = head.meta("business:contact_data:email", limit: 320).flatMap(ThingReader.mailAddress) {
            item.offer("emailAddresses", texts: [mail])
        }
    }
}
