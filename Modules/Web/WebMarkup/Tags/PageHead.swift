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
