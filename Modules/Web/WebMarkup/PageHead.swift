import Foundation

/// The `title`, `meta`, `link`, `base` and `html` elements of a page, wherever they occur.
struct PageHead {
    /// The text of the first title element.
    private(set) var title: String?
    /// The language as a BCP 47 tag.
    private(set) var language: String?
    /// The base of relative URLs: `base`, otherwise the URL of the page.
    let base: PageURL?
    /// The URL of the page without fragment: the canonical one, otherwise the one it was read from.
    private(set) var address: PageURL?
    /// The contents of `meta` elements by name.
    private var metas: [String: [String]] = [:]
    /// The targets of `link` elements by relation.
    private var links: [String: [String]] = [:]

    private static let maximumValuesPerName = 200

    init(_ outline: PageOutline, url: PageURL?) {
        let ownBase = outline.elements.lazy.filter { $0.name == "base" }
            .compactMap { outline.attribute("href", of: $0) }.first.flatMap { PageURL($0)?.resolved(against: url) }
        base = ownBase?.webText != nil ? ownBase : url
        for element in outline.elements {
            switch element.name {
            case "title" where title == nil:
                title = MarkupText.line(outline.text(of: element, limit: 1 << 16))
            case "html":
                language = language ?? outline.attribute("lang", of: element).flatMap(Self.language)
            case "meta":
                guard let content = outline.attribute("content", of: element) else { continue }
                for key in ["property", "name", "http-equiv"] {
                    guard let names = outline.attribute(key, of: element) else { continue }
                    for name in names.lowercased().split(whereSeparator: \.isWhitespace).prefix(4) {
                        let name = key == "http-equiv" ? "=\(name)" : String(name)
                        guard metas[name, default: []].count < Self.maximumValuesPerName else { continue }
                        metas[name, default: []].append(content)
                    }
                }
            case "link":
                guard let target = outline.attribute("href", of: element) else { continue }
                for name in (outline.attribute("rel", of: element) ?? "").lowercased().split(
                    whereSeparator: \.isWhitespace)
                {
                    guard links[String(name), default: []].count < Self.maximumValuesPerName else { continue }
                    links[String(name), default: []].append(target)
                }
            default: break
            }
        }
        let base = base
        let claimed = [links["canonical"]?.first, metas["og:url"]?.first]
            .compactMap { $0.flatMap { PageURL($0)?.resolved(against: base).page } }
        let own = url?.page.resolved(against: nil)
        address = claimed.first { $0.webText != nil && $0.isOnSameSite(as: own) } ?? own
        language =
            language ?? metas["=content-language"]?.first.flatMap(Self.language)
            ?? metas["og:locale"]?.first.flatMap(Self.language) ?? metas["language"]?.first.flatMap(Self.language)
    }

    /// Returns the first content of `meta` elements with one of the names, as a line.
    func meta(_ names: [String], limit: Int = MarkupText.maximumLineLength) -> String? {
        names.lazy.compactMap { self.metas[$0]?.lazy.compactMap { MarkupText.line($0, limit: limit) }.first }.first
    }

    func meta(_ name: String, limit: Int = MarkupText.maximumLineLength) -> String? { meta([name], limit: limit) }

    /// Returns the contents of all `meta` elements with a name.
    func metas(_ name: String, limit: Int = MarkupText.maximumLineLength) -> [String] {
        (metas[name] ?? []).compactMap { MarkupText.line($0, limit: limit) }
    }

    /// Returns the first content that is a web URL.
    func address(_ names: [String]) -> String? {
        names.lazy.compactMap { self.metas[$0]?.lazy.compactMap { self.resolve($0) }.first }.first
    }

    func link(_ relation: String) -> String? {
        links[relation]?.lazy.compactMap { self.resolve($0) }.first
    }

    private func resolve(_ text: String) -> String? { PageURL(text)?.resolved(against: base).webText }

    /// Returns a language tag: `en_US` becomes `en-US`, and the first of several languages is used; `nil` if invalid.
    static func language(_ text: String) -> String? {
        let first = text.split { $0 == "," || $0 == ";" }.first?.filter { !$0.isNewline } ?? ""
        let parts = (MarkupText.line(first) ?? "").split { $0 == "_" || $0 == "-" }
        guard let name = parts.first, (2...3).contains(name.utf8.count), parts.count <= 4,
            parts.allSatisfy({
                (1...8).contains($0.utf8.count) && $0.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit }
            })
        else { return nil }
        return parts.joined(separator: "-")
    }
}

/// The tags that open a page in an app: Smart App Banner, App Links, and the app tags of Twitter cards.
struct AppTags {
    let head: PageHead

    func describe(in item: inout AttributeCollection) {
        describeBanner(in: &item)
        item.offer("appStoreID", text: id("al:ios:app_store_id", "al:iphone:app_store_id", "al:ipad:app_store_id"))
        item.offer("appStoreID", text: id("twitter:app:id:iphone", "twitter:app:id:ipad"))
        item.offer(
            "iosURL",
            text: link("al:ios:url", "al:iphone:url", "al:ipad:url", "twitter:app:url:iphone", "twitter:app:url:ipad"))
        item.offer("androidURL", text: link("al:android:url", "twitter:app:url:googleplay"))
        item.offer("windowsURL", text: link("al:windows:url", "al:windows_universal:url", "al:windows_phone:url"))
    }

    /// Parses `app-id=123, app-argument=example://show/7, affiliate-data=ct=x&pt=1`. A part without a name continues
    /// the previous one.
    private func describeBanner(in item: inout AttributeCollection) {
        guard let banner = head.meta("apple-itunes-app", limit: PageURL.maximumLength) else { return }
        var parts: [String] = []
        for part in banner.split(separator: ",", omittingEmptySubsequences: false) {
            let isNamed = ["app-id", "app-argument", "affiliate-data", "app-clip"].contains { name in
                part.lowercased().drop(while: \.isWhitespace).hasPrefix(name)
            }
            if isNamed || parts.isEmpty { parts.append(String(part)) } else { parts[parts.count - 1] += ",\(part)" }
        }
        for part in parts {
            guard let equal = part.firstIndex(of: "=") else { continue }
            let value = MarkupText.line(part[part.index(after: equal)...], limit: PageURL.maximumLength)
            switch MarkupText.line(part[..<equal])?.lowercased() {
            case "app-id": item.offer("appStoreID", text: value.flatMap(Self.storeID))
            case "app-argument": item.offer("appArgument", text: value.flatMap { Self.isHarmless($0) ? $0 : nil })
            case "affiliate-data": item.offer("affiliateData", text: value)
            default: break
            }
        }
    }

    private func id(_ names: String...) -> String? {
        names.lazy.compactMap { self.head.meta($0).flatMap(Self.storeID) }.first
    }

    /// Returns the digits of `123` or `id123`.
    private static func storeID(_ text: String) -> String? {
        let digits = text.lowercased().hasPrefix("id") ? text.dropFirst(2) : text[...]
        return (1...20).contains(digits.count) && digits.utf8.allSatisfy(\.isASCIIDigit)
            ? String(digits) : nil
    }

    /// Returns the first deep link, with any harmless scheme.
    private func link(_ names: String...) -> String? {
        names.lazy.compactMap { name in
            self.head.meta(name, limit: PageURL.maximumLength).flatMap { PageURL($0)?.text }.flatMap {
                Self.isHarmless($0) ? $0 : nil
            }
        }.first
    }

    /// Schemes that execute code or read files when opened.
    private static let refused: Set<String> = [
        "javascript", "vbscript", "data", "file", "blob", "about", "view-source",
    ]

    private static func isHarmless(_ text: String) -> Bool {
        !refused.contains(PageURL(text)?.scheme ?? "")
    }
}

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
            case .number, .seconds: item.offer(name, number: number(tags, as: .measure))
            case .count: item.offer(name, number: number(tags, as: .count))
            case .price:
                let currency = head.meta(["product:price:currency", "og:price:currency"])
                item.offer(name, number: number(tags, as: .price(currency: currency)))
            case .date: item.offer(name, date: date(tags))
            default: item.offer(name, text: head.meta(tags, limit: source.limit))
            }
        }
    }

    private func number(_ names: [String], as meaning: MarkupNumber.Meaning) -> Double? {
        names.lazy.compactMap { self.head.meta($0).flatMap { MarkupNumber.read($0, as: meaning) } }.first
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
        if let latitude = number(["place:location:latitude"], as: .coordinate),
            let longitude = number(["place:location:longitude"], as: .coordinate),
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
