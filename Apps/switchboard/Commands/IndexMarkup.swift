import ArgumentParser
import SwitchboardSearchableIndex
import SwitchboardKit
import SwitchboardWebFetch
import SwitchboardWebMarkup

struct IndexMarkup: Command {
    static let configuration = CommandConfiguration(
        commandName: "markup",
        abstract:
            "Put what web pages say of themselves into the index: JSON-LD, microdata, Open Graph, cards, app links.",
        discussion: """
            A page that does not want to be indexed (robots) is left out, and said so. All pages are put in one go or, if one cannot \
            be read, none. For example:

              switchboard index markup page.html --url https://example.org/page
            """)

    @Argument(help: "HTML files, addresses (http, https), or - for standard input.") var pages: [String]
    @Option(
        help: ArgumentHelp("Where the one file comes from; its addresses are read from there.", valueName: "address"))
    var url: String?
    @Flag(help: "Only show the items.") var dryRun = false
    @OptionGroup var index: IndexOption
    @OptionGroup var global: GlobalOptions

    private struct Answer: Encodable {
        let indexed: Int
        let updated: Int
        let results: [SearchResult]
        let notes: [MarkupReport.Note]
    }

    func run(_ session: Session) throws -> ExitStatus {
        if url != nil, pages.count != 1 { throw Fault.usage("--url goes with one page") }
        let switchboard = try session.switchboard()
        let interruption = Interruption()
        // Whoever names an address here may reach it; a redirect from a public address to a private one is refused.
        let fetcher = WebFetcher(allowsPrivateAddresses: true)
        var report = MarkupReport()
        for page in pages {
            do {
                if Self.isAddress(page) {
                    session.progress.show("fetching \(page)")
                    report.take(
                        try switchboard.markup(fetching: page, by: fetcher) { interruption.hasCome }, of: page)
                } else {
                    let html = try WholeFile.read(page, limit: 64 << 20)
                    report.take(try switchboard.markup(html: html, url: url), of: page)
                }
            } catch {
                session.progress.clear()
                throw Fault(error).about(file: page)
            }
        }
        session.progress.clear()
        let items = try switchboard.items(index.index)
        let put = dryRun ? PutReport() : try items.put(report.items)
        let rows = try report.items.map { item in
            SearchResult(
                dryRun ? StoredItem(item) : try items.item(item.uniqueIdentifier), index: index.index)
        }
        let answer = Answer(indexed: put.indexed, updated: put.updated, results: rows, notes: report.notes)
        try session.answer(answer) { session.show(rows) }
        for note in report.notes { session.diagnostics.note("\(note.page): \(note.reason)") }
        if !dryRun { session.compact() }
        return report.items.isEmpty ? .nothingFound : .done
    }

    private static func isAddress(_ page: String) -> Bool {
        let page = page.lowercased()
        return page.hasPrefix("http://") || page.hasPrefix("https://")
    }
}
