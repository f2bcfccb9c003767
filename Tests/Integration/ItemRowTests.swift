import SwitchboardIncrementalIndex
import SwitchboardKit
import SwitchboardSearchableIndex
import SwitchboardStorage
import Testing

/// The tutorial's show has a name, and a genre and a time in its description.
@Suite("Rows of items")
struct ItemRowTests {
    private static let shows = #"""
        [{"id": "1", "title": "Breaking Dunes", "keywords": ["drama", "desert"],
          "contentDescription": "Drama\n 20:15 \r\n\n Channel 4\n", "authorNames": ["Ana\nMaria"]},
         {"id": "2", "title": "Harbour Lights", "keywords": ["crime"], "contentDescription": "Detectives\nat sea",
          "textContent": "The long story\nof a lighthouse keeper."},
         {"id": "3", "title": "The Great Bake", "keywords": ["baking", "contest"]},
         {"id": "4", "displayName": "Orbit", "title": "Project Sputnik", "textContent": "weightless"},
         {"id": "5", "title": "Line\nBreak", "alternateNames": ["Zeilenumbruch"], "contentDescription": ""}]
        """#

    /// Returns the first row with the matches in brackets.
    private func row(_ text: String, _ search: ItemSearch) throws -> (title: String, line: String) {
        let row = SearchResult(try #require(try search.search(text).hits.first))
        func marked(_ text: HighlightedText) -> String {
            var scalars = Array(text.text.unicodeScalars)
            for range in text.matches.reversed() {
                scalars.insert("]", at: range.upperBound)
                scalars.insert("[", at: range.lowerBound)
            }
            return String(String.UnicodeScalarView(scalars))
        }
        return (marked(row.columns.title), marked(row.columns.detail))
    }

    @Test(
        "A row has the title and the whole description in one line, and the match",
        arguments: [
            ("breaking", "[Breaking] Dunes", "Drama · 20:15 · Channel 4"),
            // A keyword, in the description and beside it.
            ("drama", "Breaking Dunes", "[Drama] · 20:15 · Channel 4"),
            ("desert", "Breaking Dunes", "Drama · 20:15 · Channel 4 · [desert]"),
            ("dunes desert", "Breaking [Dunes]", "Drama · 20:15 · Channel 4 · [desert]"),
            // The description, a person, a full text.
            ("channel", "Breaking Dunes", "Drama · 20:15 · [Channel] 4"),
            ("maria", "Breaking Dunes", "Drama · 20:15 · Channel 4 · Ana · [Maria]"),
            ("sea", "Harbour Lights", "Detectives · at [sea]"),
            ("lighthouse", "Harbour Lights", "Detectives · at sea · The long story of a [lighthouse] keeper."),
            ("crime", "Harbour Lights", "Detectives · at sea · [crime]"),
            // Without a description.
            ("bake", "The Great [Bake]", "baking, contest"), ("contest", "The Great Bake", "baking, [contest]"),
            ("sputnik", "Orbit", "Project [Sputnik]"), ("weightless", "Orbit", "[weightless]"),
            ("zeilen", "Line\nBreak", "[Zeilen]umbruch"),
        ])
    func rows(_ text: String, _ title: String, _ line: String) throws {
        let storage = try Storage.inMemory(migrations: [SearchableIndex.migrations])
        let index = SearchableIndex(storage: storage)
        try index.put(json: Array(Self.shows.utf8))
        let row = try row(text, ItemSearch(index: index))
        #expect(row.title == title && row.line == line)
    }

    @Test("A description of many lines is cut, and shows the match")
    func long() throws {
        let storage = try Storage.inMemory(migrations: [SearchableIndex.migrations])
        let index = SearchableIndex(storage: storage)
        var set = SearchableItemAttributeSet()
        set.title = "Log"
        set.contentDescription = (0..<100).map { "line \($0)\n" }.joined() + "needle\nend"
        try index.put([SearchableItem(attributeSet: set)])
        let search = ItemSearch(index: index)
        let listed = SearchResult(
            try index.item(try #require(try search.search("log").hits.first).item.uniqueIdentifier))
        #expect(listed.subtitle.hasPrefix("line 0 · line 1 · ") && listed.subtitle.hasSuffix("…"))
        let row = try row("needle", search)
        #expect(row.line.hasPrefix("…") && row.line.hasSuffix(" · [needle] · end") && !row.line.contains("\n"))
    }
}
