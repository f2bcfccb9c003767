import ArgumentParser
import SwitchboardKit
import SwitchboardSearchableIndex
import SwitchboardWebFetch
import SwitchboardWebMarkup

struct IndexMarkup: Command {
    static let configuration = CommandConfiguration(
        commandName: "markup",
        abstract:
            "Add items from web pages: JSON-LD, microdata, Open Graph, Twitter cards, app links.",
        discussion: """
            Pages that exclude robots are skipped with a message. If one page cannot be read, nothing is added. For example:

              switchboard index markup page.html --url https://example.org/page
            """)

    @Argument(help: "HTML files, http or https addresses, or - for standard input.") var pages: [String]
    @Option("The address of the file, which resolves its relative links.", "address", parsing: .next)
    var url: String?
    @Flag(help: "Show the items without storing them.") var dryRun = false
    @OptionGroup var index: IndexOption
    @OptionGroup var global: GlobalOptions

    private struct Response: Encodable {
        let indexed: Int
        let updated: Int
        let results: [SearchResult]
        let notes: [MarkupReport.Note]
    }

    func run(_ session: Session) throws -> ExitStatus {
        if url != nil, pages.count != 1 { throw SwitchboardError.usage("--url takes exactly one page") }
        let switchboard = try session.switchboard()
        let interruption = SignalObserver.interruption()
        // The user may name private addresses. A redirect from a public to a private address is refused.
        let fetcher = WebFetcher(allowsPrivateAddresses: true)
        var report = MarkupReport()
        for page in pages {
            do {
                if Self.isAddress(page) {
                    session.progress.show("fetching \(page)")
                    report.take(
                        try switchboard.markup(fetching: page, by: fetcher) { interruption.wasReceived }, of: page)
                } else {
                    let html = try FileIO.read(page, limit: 64 << 20)
                    report.take(try switchboard.markup(html: html, url: url), of: page)
                }
            } catch {
                session.progress.clear()
                throw SwitchboardError(error).about(file: page)
            }
        }
        session.progress.clear()
        let items = try switchboard.items(index.index)
        let put = dryRun ? PutReport() : try items.put(report.items)
        let rows = try report.items.map { item in
            SearchResult(
                dryRun ? StoredItem(item) : try items.item(item.uniqueIdentifier), index: index.index)
        }
        let answer = Response(indexed: put.indexed, updated: put.updated, results: rows, notes: report.notes)
        try session.respond(answer) { session.show(rows) }
        for note in report.notes { session.diagnostics.note("\(note.page): \(note.reason)") }
        if !dryRun { session.compact() }
        return report.items.isEmpty ? .nothingFound : .done
    }

    private static func isAddress(_ page: String) -> Bool {
        let page = page.lowercased()
        return page.hasPrefix("http://") || page.hasPrefix("https://")
    }
}
