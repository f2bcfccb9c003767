import Foundation
import SwitchboardWebMarkup

func webMarkup() throws {
    let bytes = Array(#"<title>Soup</title><meta property="og:title" content="Onion soup">"#.utf8)
    let page = try WebPage(html: bytes, url: "https://example.org/soup")
    if page.robots.mayIndex(at: .now) {
        for item in page.items { print(item.kind, item.attributes["title"] ?? "–") }
    }
}
