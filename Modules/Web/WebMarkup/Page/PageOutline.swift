/// The elements of a page that markup is about, in the order of their start tags, and its text.
///
/// There is no tree: an element knows where the elements inside it end, and which range of the text is its own. So
/// nothing
/// here recurses, whatever the page does, and a page of many elements without markup takes the memory of its text.
struct PageOutline {
    struct Element {
        let name: String
        let line: Int
        let attributes: Range<Int>
        /// The number of the first element that is not inside it.
        var end: Int
        /// Its text, and that of what is inside it, in ``PageOutline/text``.
        var text: Range<Int>
    }

    struct Attribute {
        let name: String
        let value: String
    }

    struct Script {
        let line: Int
        var text: [UInt8]
    }

    var elements: [Element] = []
    var attributes: [Attribute] = []
    /// The text outside of scripts and styles, in UTF-8; blocks are parted by spaces.
    var text: [UInt8] = []
    /// What stands in scripts of the type `application/ld+json`.
    var scripts: [Script] = []
    var warnings: [MarkupWarning] = []

    /// The value of an attribute; empty if it has none.
    func attribute(_ name: String, of element: Element) -> String? {
        attributes[element.attributes].first { $0.name == name }?.value
    }

    /// The text of an element; of the first `limit` bytes.
    func text(of element: Element, limit: Int = MarkupText.longestBody * 4) -> String {
        String(decoding: text[element.text].prefix(limit), as: UTF8.self)
    }
}
