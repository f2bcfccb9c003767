/// The elements of a page that carry markup, in document order, and its text.
///
/// The outline is flat: an element has the range of its descendants and of its text. Processing needs no recursion, and
/// elements without markup take no memory.
struct PageOutline {
    struct Element {
        let name: String
        let line: Int
        let attributes: Range<Int>
        /// The index of the first element that is not a descendant.
        var end: Int
        /// The range of its text content in ``PageOutline/text``.
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
    /// The text outside of scripts and styles, in UTF-8, with spaces between blocks.
    var text: [UInt8] = []
    /// The scripts of type `application/ld+json`.
    var scripts: [Script] = []
    var warnings: [MarkupWarning] = []

    func attribute(_ name: String, of element: Element) -> String? {
        attributes[element.attributes].first { $0.name == name }?.value
    }

    /// Returns the text content of an element, at most `limit` bytes.
    func text(of element: Element, limit: Int = MarkupText.maximumBodyLength * 4) -> String {
        String(decoding: text[element.text].prefix(limit), as: UTF8.self)
    }
}
