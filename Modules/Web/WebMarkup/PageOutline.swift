import CSwitchboardLibXML2

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

// Each `unsafe` is safe because the C code calls back only during `sb_html_parse`, on the same thread, with the builder as
// its context, and with names and values that end with NUL and attributes that end with NULL. All of them are copied.

/// A builder of page outlines from SAX events of libxml2.
struct PageOutlineBuilder {
    private var outline = PageOutline()
    /// The open elements.
    private var open: [OpenElement] = []
    /// The numbers of open elements with these traits.
    private var inertDepth = 0
    private var drawingDepth = 0
    /// The treatment of text inside a script or style.
    private var raw: RawText?

    private enum RawText { case linkedData, ignored }

    private struct OpenElement {
        /// The index in the outline; `nil` if the element is not part of it.
        let number: Int?
        let traits: Traits
    }

    private static let maximumElements = 500_000
    /// The maximum length of an attribute value; longer ones, such as inline pictures, are cut.
    private static let maximumValueLength = 1 << 16

    /// Builds the outline of a page in valid UTF-8 without NUL.
    static func outline(of bytes: [UInt8]) throws(WebMarkupError) -> PageOutline {
        var builder = PageOutlineBuilder()
        let outcome = unsafe withUnsafeMutablePointer(to: &builder) { builder in
            unsafe bytes.withUnsafeBufferPointer { bytes in
                guard let start = bytes.baseAddress else { return sb_html_read }
                let events = unsafe sb_html_events(
                    context: builder,
                    open: { unsafe outlineBuilder($0)?.pointee.open($1, $2, line: Int($3)) },
                    close: { context, _ in unsafe outlineBuilder(context)?.pointee.close() },
                    text: { unsafe outlineBuilder($0)?.pointee.add(UnsafeBufferPointer(start: $1, count: $2)) })
                return unsafe sb_html_parse(start, bytes.count, events)
            }
        }
        switch outcome {
        case sb_html_no_library: throw .noLibrary
        case sb_html_no_memory: throw .noMemory
        case sb_html_too_many_attributes:
            builder.warn("an element has too many attributes; the rest of the page is ignored")
        default: break
        }
        while !builder.open.isEmpty { builder.close() }
        return builder.outline
    }

    private mutating func warn(_ message: String, line: Int? = nil) {
        outline.warnings.append(MarkupWarning(line: line, message: message))
    }

    // MARK: - Events

    private mutating func open(
        _ name: UnsafePointer<CChar>?, _ given: UnsafePointer<UnsafePointer<CChar>?>?, line: Int
    ) {
        let name = unsafe name.map { unsafe String(cString: $0) } ?? ""
        let traits = Self.traits[name] ?? []
        if !traits.isEmpty {
            if traits.contains(.isBlock) { addSpace() }
            if traits.contains(.isInert) { inertDepth += 1 }
            if traits.contains(.isDrawing) { drawingDepth += 1 }
            if traits.contains(.hasRawText) { raw = .ignored }
        }
        guard inertDepth == 0, !(drawingDepth > 0 && name == "title") else {
            return open.append(OpenElement(number: nil, traits: traits))
        }

        let first = outline.attributes.count
        var isOfMarkup = traits.contains(.isKept)
        var isLinkedData = false
        var nextPair = unsafe given
        while let pair = unsafe nextPair, let attribute = unsafe pair[0] {
            if unsafe Self.mayBeKept(attribute), let known = unsafe Self.keptAttributes[String(cString: attribute)] {
                let value = unsafe pair[1].map(Self.value(of:)) ?? ""
                outline.attributes.append(.init(name: known.name, value: value))
                isOfMarkup = isOfMarkup || known.makesMarkup
                isLinkedData = isLinkedData || (name == "script" && known.name == "type" && Self.isLinkedData(value))
            }
            unsafe nextPair = pair + 2
        }
        if isLinkedData {
            raw = .linkedData
            outline.scripts.append(.init(line: line, text: []))
        }
        guard isOfMarkup, outline.elements.count < Self.maximumElements else {
            if isOfMarkup, outline.elements.count == Self.maximumElements, outline.warnings.isEmpty {
                warn("more than \(Self.maximumElements) elements have markup; the others are ignored", line: line)
            }
            outline.attributes.removeSubrange(first...)
            return open.append(OpenElement(number: nil, traits: traits))
        }
        open.append(OpenElement(number: outline.elements.count, traits: traits))
        outline.elements.append(
            .init(
                name: name, line: line, attributes: first..<outline.attributes.count, end: outline.elements.count + 1,
                text: outline.text.count..<outline.text.count))
    }

    private mutating func close() {
        raw = nil
        guard let opened = open.popLast() else { return }
        if !opened.traits.isEmpty {
            if opened.traits.contains(.isInert) { inertDepth -= 1 }
            if opened.traits.contains(.isDrawing) { drawingDepth -= 1 }
            if opened.traits.contains(.isBlock) { addSpace() }
        }
        guard let number = opened.number, outline.elements.indices.contains(number) else { return }
        outline.elements[number].end = outline.elements.count
        outline.elements[number].text = outline.elements[number].text.lowerBound..<outline.text.count
    }

    private mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) {
        switch raw {
        case .linkedData:
            guard let last = outline.scripts.indices.last else { return }
            unsafe outline.scripts[last].text.append(contentsOf: bytes)
        case .ignored: break
        case nil: if inertDepth == 0 { unsafe outline.text.append(contentsOf: bytes) }
        }
    }

    private mutating func addSpace() {
        if let last = outline.text.last, last != 0x20 { outline.text.append(0x20) }
    }
}

// MARK: - Elements and attributes

extension PageOutlineBuilder {
    private struct Traits: OptionSet {
        let rawValue: UInt8

        /// The element is in the outline even without markup attributes.
        static let isKept = Traits(rawValue: 1)
        /// The content is not part of the page.
        static let isInert = Traits(rawValue: 2)
        /// Titles inside are not the title of the page.
        static let isDrawing = Traits(rawValue: 4)
        /// The content is not text of the page.
        static let hasRawText = Traits(rawValue: 8)
        /// The element is separated from the text around it.
        static let isBlock = Traits(rawValue: 16)
    }

    /// The elements with special treatment.
    private static let traits: [String: Traits] = {
        let names: [(Traits, String)] = [
            (.isKept, "html title base link meta"), (.isInert, "template"), (.isDrawing, "svg math"),
            (.hasRawText, "script style"),
            (
                .isBlock,
                "address article aside blockquote body br dd div dl dt figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr"
                    + " li main nav ol option p pre section table tbody td tfoot th thead tr ul"
            ),
        ]
        return Dictionary(
            uniqueKeysWithValues: names.flatMap { traits, names in
                names.split(separator: " ").map { (String($0), traits) }
            })
    }()

    /// The attributes to keep, and whether they put an element into the outline.
    private static let keptAttributes: [String: (name: String, makesMarkup: Bool)] = {
        let markup = ["id", "itemscope", "itemprop", "itemtype", "itemref", "itemid"]
        let others = [
            "content", "src", "href", "data", "value", "datetime", "name", "property", "rel", "type", "lang",
            "http-equiv",
        ]
        return Dictionary(uniqueKeysWithValues: markup.map { ($0, ($0, true)) } + others.map { ($0, ($0, false)) })
    }()

    /// Returns whether a name may be one to keep, judging by its first letter and length; a fast check before the
    /// lookup.
    private static func mayBeKept(_ name: UnsafePointer<CChar>) -> Bool {
        guard unsafe firstLetters.contains(UInt8(bitPattern: name[0])) else { return false }
        var length = 1
        while length <= maximumNameLength, unsafe name[length] != 0 { length += 1 }
        return length <= maximumNameLength
    }

    private static let firstLetters = Array(Set(keptAttributes.keys.compactMap(\.utf8.first)))
    private static let maximumNameLength = keptAttributes.keys.map(\.utf8.count).max() ?? 0

    private static func isLinkedData(_ type: String) -> Bool {
        type.lowercased().prefix { $0 != ";" }.split(whereSeparator: \.isWhitespace).first == "application/ld+json"
    }

    private static func value(of text: UnsafePointer<CChar>) -> String {
        var length = 0
        while length < maximumValueLength, unsafe text[length] != 0 { length += 1 }
        return unsafe text.withMemoryRebound(to: UInt8.self, capacity: length) {
            unsafe String(decoding: UnsafeBufferPointer(start: $0, count: length), as: UTF8.self)
        }
    }
}

private func outlineBuilder(_ context: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<PageOutlineBuilder>? {
    unsafe context?.assumingMemoryBound(to: PageOutlineBuilder.self)
}
