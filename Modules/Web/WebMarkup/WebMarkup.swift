/// Items out of web pages: what a page says of itself for search engines and for shared links.
///
/// Bytes in, values out: the module fetches nothing, opens no file and knows no index; it can be taken alone.
///
/// For example:
///
/// ```swift
/// let page = try WebPage(html: bytes, url: "https://example.org/soup")
/// if page.robots.mayIndex(at: .now) {
///     for item in page.items { print(item.kind, item.attributes["title"] ?? "–") }
/// }
/// ```
///
/// ## What there is
///
/// - A page: ``WebPage``, ``WebMarkupError``, ``MarkupWarning``
/// - What is on it: ``MarkedUpItem``, ``MarkupValue``, ``MarkupAttribute``
/// - What may be done with it: ``RobotsDirectives``
public enum WebMarkup {}
