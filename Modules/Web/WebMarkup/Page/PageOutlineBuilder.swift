import CSwitchboardLibXML2

/// Makes the outline of a page from libxml2's events.
struct PageOutlineBuilder {
    private var outline = PageOutline()
    /// The elements that are open.
    private var open: [Opened] = []
    /// How many elements of these kinds are open.
    private var inert = 0
    private var drawings = 0
    /// Set inside a script or a style: whether its text is linked data.
    private var raw: RawText?

    private enum RawText { case linkedData, passedOver }

    private struct Opened {
        /// Its number in the outline; nil if it is not in it.
        let number: Int?
        let traits: Traits
    }

    /// More elements with markup than these are not read.
    private static let mostElements = 500_000
    /// A longer value of an attribute is cut, such as that of a picture inside a page.
    private static let longestValue = 1 << 16

    /// Reads a page that is valid UTF-8 without NUL.
    static func outline(of bytes: [UInt8]) throws(WebMarkupError) -> PageOutline {
        var builder = PageOutlineBuilder()
        let outcome = withUnsafeMutablePointer(to: &builder) { builder in
            bytes.withUnsafeBufferPointer { bytes in
                guard let start = bytes.baseAddress else { return sb_html_read }
                let events = sb_html_events(
                    context: builder,
                    open: { take($0)?.pointee.open($1, $2, line: Int($3)) },
                    close: { context, _ in take(context)?.pointee.close() },
                    text: { take($0)?.pointee.add(UnsafeBufferPointer(start: $1, count: $2)) })
                return sb_html_parse(start, bytes.count, events)
            }
        }
        switch outcome {
        case sb_html_no_library: throw .noLibrary
        case sb_html_no_memory: throw .noMemory
        case sb_html_too_many_attributes:
            builder.warn("an element has hundreds of attributes; the page is read up to it")
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
        let name = name.map { String(cString: $0) } ?? ""
        let traits = Self.traits[name] ?? []
        if !traits.isEmpty {
            if traits.contains(.isBlock) { addSpace() }
            if traits.contains(.isInert) { inert += 1 }
            if traits.contains(.isDrawing) { drawings += 1 }
            if traits.contains(.hasRawText) { raw = .passedOver }
        }
        guard inert == 0, !(drawings > 0 && name == "title") else {
            return open.append(Opened(number: nil, traits: traits))
        }

        let first = outline.attributes.count
        var isOfMarkup = traits.contains(.isKept)
        var isLinkedData = false
        var place = given
        while let pair = place, let attribute = pair[0] {
            if Self.mayBeKept(attribute), let known = Self.kept[String(cString: attribute)] {
                let value = pair[1].map(Self.value(of:)) ?? ""
                outline.attributes.append(.init(name: known.name, value: value))
                isOfMarkup = isOfMarkup || known.makesMarkup
                isLinkedData = isLinkedData || (name == "script" && known.name == "type" && Self.isLinkedData(value))
            }
            place = pair + 2
        }
        if isLinkedData {
            raw = .linkedData
            outline.scripts.append(.init(line: line, text: []))
        }
        guard isOfMarkup, outline.elements.count < Self.mostElements else {
            if isOfMarkup, outline.elements.count == Self.mostElements, outline.warnings.isEmpty {
                warn("more than \(Self.mostElements) elements have markup; the others are passed over", line: line)
            }
            outline.attributes.removeSubrange(first...)
            return open.append(Opened(number: nil, traits: traits))
        }
        open.append(Opened(number: outline.elements.count, traits: traits))
        outline.elements.append(
            .init(
                name: name, line: line, attributes: first..<outline.attributes.count, end: outline.elements.count + 1,
                text: outline.text.count..<outline.text.count))
    }

    private mutating func close() {
        raw = nil
        guard let opened = open.popLast() else { return }
        if !opened.traits.isEmpty {
            if opened.traits.contains(.isInert) { inert -= 1 }
            if opened.traits.contains(.isDrawing) { drawings -= 1 }
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
            outline.scripts[last].text.append(contentsOf: bytes)
        case .passedOver: break
        case nil: if inert == 0 { outline.text.append(contentsOf: bytes) }
        }
    }

    private mutating func addSpace() {
        if let last = outline.text.last, last != 0x20 { outline.text.append(0x20) }
    }
}

// MARK: - Which elements and attributes

extension PageOutlineBuilder {
    private struct Traits: OptionSet {
        let rawValue: UInt8

        /// It says something of the page by itself.
        static let isKept = Traits(rawValue: 1)
        /// What is inside it is no part of the page.
        static let isInert = Traits(rawValue: 2)
        /// Its titles are not the page's.
        static let isDrawing = Traits(rawValue: 4)
        /// What is inside it is no text of the page.
        static let hasRawText = Traits(rawValue: 8)
        /// It stands on lines of its own.
        static let isBlock = Traits(rawValue: 16)
    }

    /// The elements that are not like all others.
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

    /// Attributes that are kept, and whether an element is kept for having one.
    private static let kept: [String: (name: String, makesMarkup: Bool)] = {
        let markup = ["id", "itemscope", "itemprop", "itemtype", "itemref", "itemid"]
        let others = [
            "content", "src", "href", "data", "value", "datetime", "name", "property", "rel", "type", "lang",
            "http-equiv",
        ]
        return Dictionary(
            uniqueKeysWithValues: markup.map { ($0, ($0, true)) } + others.map { ($0, ($0, false)) })
    }()

    /// Whether a name is as short as those that are kept, and begins like one: most are told apart without a search.
    private static func mayBeKept(_ name: UnsafePointer<CChar>) -> Bool {
        guard firstLetters.contains(UInt8(bitPattern: name[0])) else { return false }
        var length = 1
        while length <= longestName, name[length] != 0 { length += 1 }
        return length <= longestName
    }

    private static let firstLetters = Array(Set(kept.keys.compactMap(\.utf8.first)))
    private static let longestName = kept.keys.map(\.utf8.count).max() ?? 0

    private static func isLinkedData(_ type: String) -> Bool {
        type.lowercased().prefix { $0 != ";" }.split(whereSeparator: \.isWhitespace).first == "application/ld+json"
    }

    private static func value(of text: UnsafePointer<CChar>) -> String {
        var length = 0
        while length < longestValue, text[length] != 0 { length += 1 }
        return text.withMemoryRebound(to: UInt8.self, capacity: length) {
            String(decoding: UnsafeBufferPointer(start: $0, count: length), as: UTF8.self)
        }
    }
}

private func take(_ context: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<PageOutlineBuilder>? {
    context?.assumingMemoryBound(to: PageOutlineBuilder.self)
}
