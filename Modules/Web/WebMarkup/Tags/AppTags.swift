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
