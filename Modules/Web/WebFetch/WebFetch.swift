/// Fetching from the web, with bounds: of size, time and redirects, and of whom it connects to.
///
/// The module knows no pages and no database; it can be taken alone.
///
/// For example:
///
/// ```swift
/// let fetcher = WebFetcher(allowsPrivateAddresses: false)
/// let page = try fetcher.fetch(FetchRequest("https://example.org/soup", obeysRobots: true))
/// try page.requireSuccess()
/// print(page.url, page.contentType ?? "–", page.body.count)
/// ```
///
/// ## What there is
///
/// - Fetching: ``WebFetcher``, ``FetchRequest``, ``FetchLimits``, ``FetchedPage``, ``WebFetchError``
/// - What a site allows: ``RobotsTxt``
/// - Whom it connects to: ``NetworkAddress``
public enum WebFetch {}
