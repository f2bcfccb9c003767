/// A property with its value.
public struct DAVProperty: Sendable, Hashable {
    /// The name.
    public let name: DAVName
    let content: XMLText

    /// Creates a property with a text.
    public init(_ name: DAVName, text: String) {
        self.name = name
        content = XMLText(text: text)
    }

    /// Creates a property with hrefs.
    public init(_ name: DAVName, hrefs: [String]) {
        self.name = name
        content = hrefs.reduce(into: XMLText()) { $0.add(.dav("href"), XMLText(text: $1)) }
    }

    /// Creates a property with empty elements.
    public init(_ name: DAVName, _ elements: [DAVName] = []) {
        self.name = name
        content = elements.reduce(into: XMLText()) { $0.add($1) }
    }

    /// Creates a property with elements that have texts.
    public init(_ name: DAVName, _ elements: [(DAVName, String)]) {
        self.name = name
        content = elements.reduce(into: XMLText()) { $0.add($1.0, XMLText(text: $1.1)) }
    }

    /// Creates a property with an element for each name, which contains the element of the name.
    ///
    /// - Parameter path: The names of the elements around it, outermost first.
    public init(_ name: DAVName, each elements: [DAVName], within path: [DAVName]) {
        self.name = name
        content = elements.reduce(into: XMLText()) { content, element in
            var inner = XMLText()
            inner.add(element)
            for outer in path.reversed() {
                var next = XMLText()
                next.add(outer, inner)
                inner = next
            }
            content.append(inner)
        }
    }

    /// Creates a property with an element for each set of attributes.
    public init(_ name: DAVName, _ element: DAVName, attributes: [[(String, String)]]) {
        self.name = name
        content = attributes.reduce(into: XMLText()) { $0.add(element, attributes: $1) }
    }
}

/// The body of a 207 response (RFC 4918, section 13).
public struct Multistatus: Sendable {
    private var content = XMLText()
    /// The token of a `sync-collection` report.
    public var token: String?

    /// Creates a response without resources.
    public init() {}

    /// Adds a resource with the properties that were found, and the names of missing ones.
    public mutating func add(_ href: String, found: [DAVProperty], missing: [DAVName] = []) {
        var response = XMLText()
        response.add(.dav("href"), XMLText(text: href))
        let names = missing.map { DAVProperty($0) }
        if !found.isEmpty || missing.isEmpty { response.add(found, status: 200) }
        if !names.isEmpty { response.add(names, status: 404) }
        content.add(.dav("response"), response)
    }

    /// Adds the result of changing properties.
    public mutating func add(_ href: String, changed names: [DAVName], status: Int, condition: DAVName? = nil) {
        var response = XMLText()
        response.add(.dav("href"), XMLText(text: href))
        response.add(names.map { DAVProperty($0) }, status: status, condition: condition)
        content.add(.dav("response"), response)
    }

    /// Adds a resource without properties, such as a removed one.
    public mutating func add(_ href: String, status: Int, condition: DAVName? = nil) {
        var response = XMLText()
        response.add(.dav("href"), XMLText(text: href))
        response.add(.dav("status"), XMLText(text: XMLText.statusLine(status)))
        if let condition { response.add(.dav("error"), .element(condition)) }
        content.add(.dav("response"), response)
    }

    /// The XML in UTF-8.
    public var bytes: [UInt8] {
        var all = content
        if let token { all.add(.dav("sync-token"), XMLText(text: token)) }
        return all.document(.dav("multistatus"))
    }
}

/// The body of an error response (RFC 4918, section 16).
public struct DAVErrorBody: Sendable {
    /// The precondition that was not met.
    public let condition: DAVName
    /// The resource that it is about.
    public let href: String?
    /// The reason for people, as `responsedescription`.
    public let explanation: String?

    /// Creates a body.
    public init(_ condition: DAVName, href: String? = nil, explanation: String? = nil) {
        (self.condition, self.href, self.explanation) = (condition, href, explanation)
    }

    /// The XML in UTF-8.
    public var bytes: [UInt8] {
        var inner = XMLText()
        if let href { inner.add(.dav("href"), XMLText(text: href)) }
        var content = XMLText()
        content.add(condition, inner)
        if let explanation { content.add(.dav("responsedescription"), XMLText(text: explanation)) }
        return content.document(.dav("error"))
    }
}

/// A part of an XML document as bytes.
struct XMLText: Sendable, Hashable {
    private var bytes: [UInt8] = []

    private static let prefixes = [
        DAVName.davSpace: "D", DAVName.cardSpace: "C", DAVName.calendarSpace: "L", DAVName.serverSpace: "S",
    ]

    init() {}

    init(text: String) {
        for byte in text.utf8 { XMLText.escape(byte, into: &bytes) }
        // XML cannot represent U+FFFE and U+FFFF, whose last bytes become those of U+FFFD. One of them would make the whole
        // response unreadable.
        for end in bytes.indices.dropFirst(2)
        where bytes[end] >= 0xBE && bytes[end - 1] == 0xBF && bytes[end - 2] == 0xEF {
            bytes[end] = 0xBD
        }
    }

    static func element(_ name: DAVName) -> XMLText {
        var content = XMLText()
        content.add(name)
        return content
    }

    private static func escape(_ byte: UInt8, into bytes: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "&"): bytes += "&amp;".utf8
        case UInt8(ascii: "<"): bytes += "&lt;".utf8
        case UInt8(ascii: ">"): bytes += "&gt;".utf8
        case UInt8(ascii: "\""): bytes += "&quot;".utf8
        // A parser would turn CR LF into LF.
        case 0x0D: bytes += "&#13;".utf8
        case 0x09, 0x0A: bytes.append(byte)
        // XML 1.0 cannot represent other control characters.
        case 0..<0x20: bytes += "\u{FFFD}".utf8
        default: bytes.append(byte)
        }
    }

    mutating func append(_ other: XMLText) { bytes += other.bytes }

    mutating func add(_ name: DAVName, _ content: XMLText = XMLText(), attributes: [(String, String)] = []) {
        let prefix = XMLText.prefixes[name.space]
        let tag = prefix.map { $0 + ":" + name.name } ?? (name.space.isEmpty ? name.name : "x:" + name.name)
        bytes += "<\(tag)".utf8
        let declared = prefix == nil && !name.space.isEmpty ? [("xmlns:x", name.space)] : []
        for (key, value) in declared + attributes {
            bytes += " \(key)=\"".utf8
            bytes += XMLText(text: value).bytes
            bytes.append(UInt8(ascii: "\""))
        }
        if content.bytes.isEmpty {
            bytes += "/>".utf8
        } else {
            bytes.append(UInt8(ascii: ">"))
            bytes += content.bytes
            bytes += "</\(tag)>".utf8
        }
    }

    mutating func add(_ properties: [DAVProperty], status: Int, condition: DAVName? = nil) {
        var list = XMLText()
        for property in properties { list.add(property.name, property.content) }
        var result = XMLText()
        result.add(.dav("prop"), list)
        result.add(.dav("status"), XMLText(text: XMLText.statusLine(status)))
        if let condition { result.add(.dav("error"), .element(condition)) }
        add(.dav("propstat"), result)
    }

    static func statusLine(_ status: Int) -> String {
        let reasons = [
            200: "OK", 403: "Forbidden", 404: "Not Found", 409: "Conflict", 424: "Failed Dependency",
            507: "Insufficient Storage",
        ]
        return "HTTP/1.1 \(status) \(reasons[status] ?? "Status")"
    }

    func document(_ root: DAVName) -> [UInt8] {
        let spaces = XMLText.prefixes.sorted { $0.value < $1.value }.map { ("xmlns:" + $0.value, $0.key) }
        var whole = XMLText()
        whole.bytes += "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n".utf8
        whole.add(root, self, attributes: spaces)
        return whole.bytes
    }
}
