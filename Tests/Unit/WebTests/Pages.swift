import Foundation
import SwitchboardWebMarkup

/// Sample pages.
enum Pages {
    static let address = "https://www.example.org/place/page"

    /// Returns a page with a JSON-LD script.
    static func linked(_ json: String, head: String = "", body: String = "") -> String {
        """
        <!DOCTYPE html>
        <html lang="en"><head><meta charset="utf-8"><title>The title</title>\(head)
        <script type="application/ld+json">\(json)</script></head><body>\(body)</body></html>
        """
    }

    /// Returns a page with a body.
    static func body(_ body: String, head: String = "") -> String {
        "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>The title</title>\(head)</head><body>\(body)</body></html>"
    }

    static func read(_ html: String, url: String? = address) throws -> WebPage {
        try WebPage(html: html.utf8, contentType: "text/html; charset=utf-8", url: url)
    }
}

extension MarkupItem {
    /// Returns a value as text: lists separated by bars, dates as ISO 8601 in UTC.
    func shown(_ name: String) -> String? {
        self[name].map { value in
            switch value {
            case .text(let text): text
            case .number(let number): number.formatted(.number.grouping(.never).precision(.fractionLength(0...6)))
            case .date(let date): date.formatted(.iso8601)
            case .flag(let flag): "\(flag)"
            case .texts(let texts): texts.joined(separator: " | ")
            }
        }
    }

    /// Returns a description of each value that differs from the expected one.
    func differences(_ expected: [String: String]) -> [String] {
        expected.keys.sorted().compactMap { name in
            shown(name) == expected[name]
                ? nil : "\(name): \(shown(name) ?? "nothing"), expected \(expected[name] ?? "")"
        }
    }
}
