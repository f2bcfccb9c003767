import CSwitchboardLibXML2
@_exported public import SwitchboardErrors

/// The name of an element in a namespace.
public struct DAVName: Hashable, Sendable {
    /// The namespace; empty for none.
    public let space: String
    /// The name without a prefix.
    public let name: String

    /// Creates a name.
    public init(_ space: String, _ name: String) {
        (self.space, self.name) = (space, name)
    }

    /// Returns a name of WebDAV (RFC 4918).
    public static func dav(_ name: String) -> DAVName { DAVName(davSpace, name) }
    /// Returns a name of CardDAV (RFC 6352).
    public static func card(_ name: String) -> DAVName { DAVName(cardSpace, name) }
    /// Returns a name of CalDAV (RFC 4791).
    public static func calendar(_ name: String) -> DAVName { DAVName(calendarSpace, name) }
    /// Returns a name of Apple's calendar server.
    public static func server(_ name: String) -> DAVName { DAVName(serverSpace, name) }
    /// Returns a name of Apple's calendar program.
    public static func apple(_ name: String) -> DAVName { DAVName("http://apple.com/ns/ical/", name) }

    static let davSpace = "DAV:"
    static let cardSpace = "urn:ietf:params:xml:ns:carddav"
    static let calendarSpace = "urn:ietf:params:xml:ns:caldav"
    static let serverSpace = "http://calendarserver.org/ns/"
}

/// An error in a request.
public enum DAVError: CodedError, Equatable {
    /// The body is not well-formed XML, or not the request that it should be.
    case malformedXML(reason: String)
    /// A precondition of the request is not met, such as `valid-sync-token`.
    case unmetPrecondition(DAVName)
    /// libxml2 is not installed.
    case missingLibrary

    /// The code, the category and the message.
    public var details: ErrorDetails {
        switch self {
        case .malformedXML(let reason): .init("malformedXML", .malformed, "cannot read the XML: \(reason)")
        case .unmetPrecondition(let name):
            .init("unmetPrecondition", .usage, "the request does not meet the precondition \(name.name)")
        case .missingLibrary:
            .init("missingLibrary", .unavailable, "libxml2 is not installed; install libxml2")
        }
    }
}

/// An element of XML with its children and its text.
public struct DAVElement: Sendable, Hashable {
    /// The name.
    public let name: DAVName
    /// The values of the attributes by local name.
    public fileprivate(set) var attributes: [String: String] = [:]
    /// The elements within it.
    public fileprivate(set) var children: [DAVElement] = []
    /// The text directly within it.
    public fileprivate(set) var text = ""

    /// The maximum depth of elements.
    public static let maximumDepth = 32
    /// The maximum number of elements.
    public static let maximumCount = 50_000

    /// The text without surrounding white space.
    public var trimmedText: String {
        let text = text.unicodeScalars
        guard let first = text.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = text.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(text[first...last])
    }

    /// Returns the first child with a name.
    public func child(_ name: DAVName) -> DAVElement? { children.first { $0.name == name } }

    /// Parses a document.
    ///
    /// - Throws: ``DAVError/malformedXML(reason:)`` also for a document type, which may define entities, and for more
    ///   or deeper elements than the limits.
    public init(parsing bytes: [UInt8]) throws(DAVError) {
        guard let root = try DAVElementBuilder.root(of: bytes) else {
            throw .malformedXML(reason: "it has no element")
        }
        self = root
    }

    fileprivate init(name: DAVName) { self.name = name }
}

// Each `unsafe` is safe because the C code calls back only during `sb_xml_parse`, on the same thread, with the builder as
// its context, and with names that end with NUL. All of them are copied.

/// A builder of elements from SAX events of libxml2.
private struct DAVElementBuilder {
    private var open: [DAVElement] = []
    private var root: DAVElement?
    private var count = 0
    private var excess: String?

    static func root(of bytes: [UInt8]) throws(DAVError) -> DAVElement? {
        var builder = DAVElementBuilder()
        let outcome = unsafe withUnsafeMutablePointer(to: &builder) { builder in
            unsafe bytes.withUnsafeBufferPointer { bytes in
                guard let start = bytes.baseAddress else { return sb_xml_malformed }
                let events = unsafe sb_xml_events(
                    context: builder,
                    open: { unsafe elementBuilder($0)?.pointee.open($1, $2) ?? false },
                    attribute: {
                        unsafe elementBuilder($0)?.pointee.add($1, UnsafeBufferPointer(start: $2, count: $3)) ?? false
                    },
                    close: { unsafe elementBuilder($0)?.pointee.close() ?? false },
                    text: {
                        unsafe elementBuilder($0)?.pointee.add(UnsafeBufferPointer(start: $1, count: $2)) ?? false
                    })
                return unsafe sb_xml_parse(start, bytes.count, events)
            }
        }
        switch outcome {
        case sb_xml_read: return builder.root
        case sb_xml_has_doctype: throw .malformedXML(reason: "a document type is not allowed")
        case sb_xml_stopped: throw .malformedXML(reason: builder.excess ?? "it is too large")
        case sb_xml_no_library, sb_xml_no_memory: throw .missingLibrary
        default: throw .malformedXML(reason: "it is not well-formed")
        }
    }

    private mutating func open(_ name: UnsafePointer<CChar>?, _ space: UnsafePointer<CChar>?) -> Bool {
        count += 1
        guard count <= DAVElement.maximumCount, open.count < DAVElement.maximumDepth else {
            excess = "it has too many elements, or too deep ones"
            return false
        }
        let name = unsafe name.map { unsafe String(cString: $0) } ?? ""
        let space = unsafe space.map { unsafe String(cString: $0) } ?? ""
        open.append(DAVElement(name: DAVName(space, name)))
        return true
    }

    private mutating func add(_ name: UnsafePointer<CChar>?, _ value: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let last = open.indices.last, let name = unsafe name.map({ unsafe String(cString: $0) }) else {
            return false
        }
        // libxml2 leaves an ampersand of an attribute as a reference.
        open[last].attributes[name] = unsafe String(decoding: value, as: UTF8.self).replacing("&#38;", with: "&")
        return true
    }

    private mutating func add(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        if let last = open.indices.last { open[last].text += unsafe String(decoding: text, as: UTF8.self) }
        return true
    }

    private mutating func close() -> Bool {
        guard let element = open.popLast() else { return false }
        if let last = open.indices.last { open[last].children.append(element) } else { root = element }
        return true
    }
}

private func elementBuilder(_ context: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<DAVElementBuilder>? {
    unsafe context?.assumingMemoryBound(to: DAVElementBuilder.self)
}
