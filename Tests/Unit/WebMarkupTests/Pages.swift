import Foundation
import SwitchboardWebMarkup

/// Pages of the tests, and what their items look like as text.
enum Pages {
    static let address = "https://www.example.org/place/page"

    /// A page with a script of JSON-LD.
    static func linked(_ json: String, head: String = "", body: String = "") -> String {
        """
        <!DOCTYPE html>
        <html lang="en"><head><meta charset="utf-8"><title>The title</title>\(head)
        <script type="application/ld+json">\(json)</script></head><body>\(body)</body></html>
        """
    }

    /// A page with a body.
    static func body(_ body: String, head: String = "") -> String {
        "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>The title</title>\(head)</head><body>\(body)</body></html>"
    }

    static func read(_ html: String, url: String? = address) throws -> WebPage {
        try WebPage(html: html.utf8, contentType: "text/html; charset=utf-8", url: url)
    }
}

extension MarkupItem {
    /// A value as a test writes it: texts between bars, dates as ISO 8601 in UTC.
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

    /// Those of some expected values that differ, each with what is there.
    func differences(_ expected: [String: String]) -> [String] {
        expected.keys.sorted().compactMap { name in
            shown(name) == expected[name]
                ? nil : "\(name): \(shown(name) ?? "nothing"), expected \(expected[name] ?? "")"
        }
    }
}
