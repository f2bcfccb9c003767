public import Foundation
import SwitchboardAirports
public import SwitchboardContacts
import SwitchboardIncrementalIndex
public import SwitchboardProspects
public import SwitchboardSearchableIndex

/// A detail of an object: a name and a text.
public struct Detail: Sendable, Hashable {
    /// The emphasis of a text.
    public enum Tone: Sendable, Hashable {
        /// Normal text.
        case plain
        /// The main detail, or the main text of a row.
        case strong
        /// A detail for reference only, such as an identifier.
        case faint
        /// Matched text.
        case match
        /// The star of a favorite.
        case star
    }

    /// The name, such as "phone (work)".
    public var name: String
    /// The text, of one or more lines.
    public var text: String
    /// The emphasis of a detail.
    public var tone: Tone

    /// The text to copy, without remarks.
    public var value: String
    /// The URL that opens the detail, such as `tel:+442079460018`; nil if there is none.
    public var link: String?

    /// Creates a detail.
    public init(_ name: String, _ text: String, _ tone: Tone = .plain, value: String? = nil, link: String? = nil) {
        self.value = value ?? text
        self.link = link
        self.name = name
        self.text = text
        self.tone = tone
    }
}

extension Detail {
    /// Returns the `mailto:` URL of an e-mail address; nil if the text is not one.
    static func mail(_ address: String) -> String? {
        guard address.contains("@"), let escaped = address.addingPercentEncoding(withAllowedCharacters: .mailAddress)
        else { return nil }
        return "mailto:" + escaped
    }

    /// Returns "once" or "3 times"; an empty text for 0.
    static func times(_ count: Int) -> String { count == 0 ? "" : count == 1 ? "once" : "\(count) times" }

    /// Returns the text if it is a web address; nil otherwise.
    fileprivate static func page(_ text: String) -> String? {
        let start = text.lowercased()
        return start.hasPrefix("https://") || start.hasPrefix("http://") ? text : nil
    }
}

extension CharacterSet {
    /// The characters that RFC 6068 allows unescaped in an address.
    fileprivate static let mailAddress = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-._~!$'*+@"))
}

extension SearchResult {
    /// Returns all details of the object, in reading order.
    ///
    /// - Parameter language: The language of airport names.
    public func details(language: String) -> [Detail] {
        switch object {
        case .contact(let contact): contact.details
        case .prospect(let prospect): prospect.details
        case .airport(let airport, let airports):
            airport.details(
                title: title, subtitle: subtitle, distance: distance, airports: airports, language: language)
        case .item(let item, _): item.details
        }
    }

    /// The texts of a row in a table, which prefers matched fields:
    ///
    /// - a contact's name, its ``number``, and another matched field, or else the company, nickname or e-mail address,
    /// - a prospect's name, e-mail address or number, and company, place of the meeting or matched note,
    /// - an airport's name, and its place,
    /// - an item's title, its subtitle, which includes the match, and its domain.
    public var columns: (title: HighlightedText, detail: HighlightedText, other: HighlightedText) {
        func text(_ text: String, _ field: String) -> HighlightedText {
            HighlightedText(text: text, matches: highlights[field] ?? [])
        }
        func matched(_ fields: [(name: String, text: String)]) -> (name: String, text: String)? {
            fields.first { !(highlights[$0.name] ?? []).isEmpty }
        }
        switch object {
        case .contact(let contact):
            let further = contact.phones.count > 1 ? " and \(contact.phones.count - 1) more" : ""
            let known = [contact.organization, contact.nickname, contact.emails.first?.address ?? ""]
            let other =
                matched(contact.matchedFields(highlights.keys)) ?? (
                    "", known.first { !$0.isEmpty && $0 != title } ?? ""
                )
            return (
                text(title, highlights["name"] == nil ? "title" : "name"),
                HighlightedText(
                    text: number ?? "", matches: highlights.first { $0.key.hasPrefix("phones.") }?.value ?? [],
                    suffix: further), text(other.text, other.name)
            )
        case .prospect(let prospect):
            func best(_ fields: [(name: String, text: String)]) -> HighlightedText {
                let known = fields.filter { !$0.text.isEmpty && $0.text != title }
                let field = matched(known) ?? known.first { $0.name != "note" } ?? ("", "")
                return text(field.text, field.name)
            }
            return (
                text(title, "name"), best([("email", prospect.email), ("phone", prospect.phone)]),
                best([("organization", prospect.organization), ("met", prospect.met), ("note", prospect.note)])
            )
        case .airport: return (text(title, "title"), text(subtitle, "subtitle"), text("", ""))
        case .item(let item, _):
            let set = item.item.attributeSet
            let titles = ["displayName", "title", "alternateNames.0"]
            let shown = titles.first { set.text(ofField: $0) == title } ?? "title"
            return (text(title, shown), text(subtitle, "subtitle"), text(item.item.domainIdentifier ?? "", ""))
        }
    }
}

extension SearchResult {
    /// The place near which a search found an airport; nil for other results.
    public var nearbyPlace: String? {
        guard case .airport = object, match == .nearby, stage != nil, let separator = subtitle.range(of: " · ") else {
            return nil
        }
        return String(subtitle[separator.upperBound...])
    }

    /// The distance of an airport, `35 km`, or `35 km from Reading` if a search found it near that place; empty if
    /// unknown.
    public var distance: String {
        guard case .airport(let airport, _) = object, let distance = airport.distance else { return "" }
        return "\(Int(distance.rounded())) km" + (nearbyPlace.map { " from \($0)" } ?? "")
    }
}

extension Airport {
    /// Returns the details of the airport or city whose row has this title and subtitle.
    func details(
        title: String, subtitle: String, distance: String, airports: [Airport], language: String
    ) -> [Detail] {
        var details = [
            Detail("name", title, .strong), Detail("in English", title == name ? "" : name),
            Detail(isCity ? "city code" : "IATA", code, .strong), Detail("ICAO", icao ?? ""), Detail("where", subtitle),
            Detail("city code", isCity ? "" : cityCode), Detail("region", region ?? ""),
            Detail("coordinates", "\(latitude),\(longitude)"), Detail("time zone", timeZone),
        ]
        details.insert(Detail("distance", distance), at: 5)
        details += airports.map { Detail("airport", $0.code + " " + $0.title(in: language)) }
        details += names.byLanguage.map { tag, names in
            let language = Locale(identifier: "en").localizedString(forIdentifier: tag) ?? tag
            return Detail(tag == Names.otherTag ? "also" : "in \(language)", names.joined(separator: ", "))
        }
        return details.filter { !$0.text.isEmpty }
    }
}

extension Contact {
    /// The details of the contact.
    public var details: [Detail] {
        var details = [Detail("name", (isFavourite ? "★ " : "") + displayName, .strong, value: displayName)]
        for phone in phones {
            let international = phone.number.e164.map { $0 == phone.number.text ? "" : "  (\($0))" } ?? ""
            details.append(
                Detail(
                    label("phone", phone.label, phone.isPreferred), phone.number.text + international,
                    value: phone.number.text, link: phone.number.uri))
        }
        details += emails.map {
            Detail(label("e-mail", $0.label, $0.isPreferred), $0.address, link: Detail.mail($0.address))
        }
        details += ContactTextField.all.filter { $0.isShownBeforeLists }.map { Detail($0.label, self[$0]) }
        details += addresses.map { Detail(label("address", $0.label, false), $0.line) }
        details += urls.map { Detail(label("page", $0.label, false), $0.url, link: Detail.page($0.url)) }
        for list in ContactListField.all {
            details += self[list].map { value in
                Detail(list.label, value.text, link: value.parts.last.flatMap(Detail.page))
            }
        }
        details += [
            Detail("birthday", birthday), Detail("groups", groups.joined(separator: ", ")), Detail("note", note),
            Detail("photograph", photo.map { "\($0.mediaType), \($0.size) bytes" } ?? ""),
            Detail("sounds like", phoneticName),
            Detail("called", Detail.times(callCount)), Detail("last called", lastCalledAt?.localTime ?? ""),
        ]
        details += ContactTextField.all.filter(\.isNamePart).map { Detail($0.label, self[$0], .faint) }
        details += [
            Detail("created", createdAt?.localTime ?? "", .faint),
            Detail("changed", modifiedAt?.localTime ?? "", .faint),
        ]
        // An embedded photo would fill the screen.
        details += unlistedProperties.map { Detail("other", $0.count <= 120 ? $0 : $0.prefix(119) + "…", .faint) }
        details += [Detail("uid", sourceUID, .faint), Detail("id", id, .faint)]
        return details.filter { !$0.text.isEmpty }
    }

    private func label(_ what: String, _ label: String, _ isPreferred: Bool) -> String {
        what + (label.isEmpty ? "" : " (\(label))") + (isPreferred ? " *" : "")
    }
}

extension Switchboard {
    /// Returns the details of the contact into which contacts would be merged: its name, the numbered contacts, and its
    /// fields, each followed by the numbers of the contacts that have it, such as `ana@example.org  [1, 2]`.
    ///
    /// - Throws: The errors of `ContactBook.mergePreview(_:)`.
    public func mergeComparison(_ ids: [String]) throws -> [Detail] {
        let book = try contacts
        let merged = try book.mergePreview(ids)
        let sources = try ids.map { try book.contact($0) }
        let fields = sources.map { Set($0.details.map { [$0.name, $0.value] }) }
        let details = merged.details.filter { $0.tone != .faint }.map { detail in
            let origins = fields.indices.filter { fields[$0].contains([detail.name, detail.value]) }
            var detail = detail
            if !origins.isEmpty { detail.text += "  [" + origins.map { "\($0 + 1)" }.joined(separator: ", ") + "]" }
            return detail
        }
        let numbered = sources.enumerated().map { index, contact in
            Detail("[\(index + 1)]", contact.displayName + (contact.phones.first.map { ", " + $0.number.text } ?? ""))
        }
        return details.prefix(1) + numbered + details.dropFirst()
    }
}

extension Contact {
    /// Returns the highlighted fields with these keys and their texts, except for the name and the numbers.
    fileprivate func matchedFields(_ keys: some Sequence<String>) -> [(name: String, text: String)] {
        matchedTexts(keys).map { (name: $0.key, text: $0.text) }
    }
}

extension PostalAddress {
    fileprivate var line: String {
        let town = [postalCode, locality].filter { !$0.isEmpty }.joined(separator: " ")
        return [box, extended, street, town, region, country].filter { !$0.isEmpty }.joined(separator: ", ")
    }
}

extension Prospect {
    /// The details of the prospect.
    public var details: [Detail] {
        var details = [
            Detail("name", displayName, .strong), Detail("phone", phone, link: phoneURI),
            Detail("e-mail", email, link: Detail.mail(email)), Detail("organization", organization),
            Detail("note", note),
        ]
        details += meetings.map { meeting in
            Detail("met", meeting.time.localTime + (meeting.place.isEmpty ? "" : "  " + meeting.place))
        }
        details += [
            Detail("contacted", contactedAt?.localTime ?? "not yet"),
            Detail("created", createdAt?.localTime ?? "", .faint),
            Detail("changed", modifiedAt?.localTime ?? "", .faint), Detail("id", id, .faint),
        ]
        return details.filter { !$0.text.isEmpty }
    }
}

extension Attribute {
    /// The name for people: `content type` for `contentType`.
    fileprivate var label: String {
        let words = name.reduce(into: "") { words, letter in
            words += letter.isUppercase && words.last?.isLowercase ?? false ? " " + letter.lowercased() : String(letter)
        }
        return ["content description": "description", "content type": "type", "display name": "name"][words] ?? words
    }
}

extension StoredItem {
    /// The details of the item; long texts are truncated.
    public var details: [Detail] {
        let set = item.attributeSet
        var details: [Detail] = []
        // Descriptive attributes come before technical ones such as the content type.
        let leading = ["title", "displayName", "contentDescription", "keywords", "url"]
        let order = { (name: String) in leading.firstIndex(of: name) ?? leading.count }
        let attributes = set.attributes.enumerated()
            .sorted { (order($0.element.name), $0.offset) < (order($1.element.name), $1.offset) }
        for (_, attribute) in attributes {
            for value in set[attribute] {
                details.append(
                    Detail(
                        attribute.label, value.shown, attribute == .title ? .strong : .plain,
                        link: Detail.page(value.shown)))
            }
        }
        for (key, values) in set.custom.sorted(by: { $0.key < $1.key }) {
            details += values.map { Detail(key, $0.shown) }
        }
        details.append(Detail("domain", item.domainIdentifier ?? ""))
        details.append(Detail("expires", item.expirationDate?.localTime ?? "never"))
        details.append(Detail("chosen", Detail.times(useCount)))
        details.append(Detail("id", item.uniqueIdentifier, .faint))
        return details.filter { !$0.text.isEmpty }
    }
}

extension AttributeValue {
    /// The value as text for display.
    public var shown: String {
        switch self {
        case .text(let text): text
        case .number(let number): Int64(exactly: number).map(String.init) ?? String(number)
        case .date(let date): date.localTime
        case .flag(let flag): flag ? "yes" : "no"
        case .data(let data): "\(data.count) bytes"
        case .person(let person): ([person.name] + person.phones + person.emails).joined(separator: ", ")
        }
    }
}

extension StoredActivity {
    /// The type in words: "viewed" for what was opened in this program.
    public var typeInWords: String {
        activity.activityType == Switchboard.showingActivityType ? "viewed" : activity.activityType
    }

    /// The details of the activity.
    public var details: [Detail] {
        let ended = endedAt?.localTime
        var details = [
            Detail("title", activity.title ?? activity.activityType, .strong), Detail("type", typeInWords),
            Detail("began", beganAt.localTime), Detail("ended", isCurrent ? "" : ended ?? ""),
            Detail("leads to", activity.targetContentIdentifier ?? activity.webpageURL ?? ""),
            Detail("keywords", activity.keywords.joined(separator: ", ")),
        ]
        details += (activity.contentAttributeSet?.details ?? [])
        details.append(Detail("lacks", activity.missingUserInfoKeys.joined(separator: ", ")))
        details.append(Detail("id", id, .faint))
        return details.filter { !$0.text.isEmpty }
    }
}

extension SearchableItemAttributeSet {
    fileprivate var details: [Detail] {
        attributes.flatMap { attribute in self[attribute].map { Detail(attribute.label, $0.shown) } }
    }
}

/// A text and its matched ranges.
public struct HighlightedText: Sendable, Hashable {
    /// The text; may be empty.
    public let text: String
    /// The matched ranges in Unicode scalars, sorted and disjoint.
    public let matches: [Range<Int>]
    /// A remark after the text, such as " and 1 more", which is never truncated.
    public var suffix = ""
}

extension Date {
    /// The local date and time for display: `2026-11-21 14:30`.
    public var localTime: String { String(formatted(.local(in: .current)).dropLast(3)) }
}

extension FormatStyle where Self == Date.ISO8601FormatStyle {
    /// Returns the format `2026-11-21 14:30:00` in a time zone.
    static func local(in timeZone: TimeZone) -> Date.ISO8601FormatStyle {
        Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: timeZone)
            .year().month().day().dateSeparator(.dash).time(includingFractionalSeconds: false)
    }
}
