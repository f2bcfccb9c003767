/// A component of an iCalendar object (RFC 5545, section 3.6) with its properties and the components within it.
///
/// For example:
///
/// ```swift
/// let calendar = try CalendarComponent(onlyOneIn: bytes)
/// let tasks = calendar.components.filter { $0.name == "VTODO" }
/// print(tasks.compactMap { $0.property("SUMMARY")?.text })
/// ```
public struct CalendarComponent: Sendable {
    /// The name in upper case, such as "VTODO".
    public let name: String
    /// The properties directly within it, in order.
    public fileprivate(set) var properties: [VCardProperty] = []
    /// The components directly within it, in order.
    public fileprivate(set) var components: [CalendarComponent] = []

    /// The maximum depth of components.
    public static let maximumDepth = 16

    /// Parses the only object in some bytes.
    ///
    /// - Throws: `MalformedInput`.
    public init(onlyOneIn bytes: [UInt8]) throws(MalformedInput) {
        self = try CalendarLines(bytes).object()
    }

    fileprivate init(name: String) { self.name = name }

    /// Returns the first property with a name in upper case.
    public func property(_ name: String) -> VCardProperty? { properties.first { $0.name == name } }
}

/// The content lines of an iCalendar object, each with its exact bytes.
///
/// An edit replaces the lines of a property; all other bytes stay.
package struct CalendarLines {
    private struct Line {
        /// The bytes with their line breaks, and with the empty lines that follow.
        var bytes: [UInt8]
        let property: VCardProperty

        /// The name of the component that begins or ends here.
        var component: String { property.value.trimmingWhitespace.uppercased() }
    }

    private var lines: [Line] = []

    /// Splits an object into its lines, which end in LF or CR LF.
    package init(_ bytes: [UInt8]) throws(MalformedInput) {
        var content = ContentLine()
        var (start, end, number) = (0, 0, 0)
        while end < bytes.count {
            number += 1
            let next = bytes[end...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
            var text = bytes[end..<next]
            while text.last == 0x0A || text.last == 0x0D { text.removeLast() }
            let isContinued = text.first == 0x20 || text.first == 0x09
            if end > 0, !isContinued, !text.isEmpty {
                try append(bytes[start..<end], content)
                start = end
            }
            if start == end { content.clear(line: number) }
            content.bytes += start < end ? text.dropFirst() : text
            end = next
        }
        try append(bytes[start...], content)
    }

    private mutating func append(_ bytes: ArraySlice<UInt8>, _ content: ContentLine) throws(MalformedInput) {
        var content = content
        content.dropByteOrderMark()
        let property = try content.property(isVersion21: false)
        guard !property.isAssumedWindows1252 else {
            throw MalformedInput(line: content.line, reason: "the line is not UTF-8")
        }
        lines.append(Line(bytes: Array(bytes), property: property))
    }

    /// The bytes of all lines.
    package var bytes: [UInt8] { lines.flatMap(\.bytes) }

    /// Parses the object.
    package func object() throws(MalformedInput) -> CalendarComponent {
        var open: [CalendarComponent] = []
        var root: CalendarComponent?
        for line in lines {
            let number = line.property.line
            switch line.property.name {
            case "BEGIN":
                guard root == nil else { throw MalformedInput(line: number, reason: "there is more than one object") }
                guard open.count < CalendarComponent.maximumDepth else {
                    throw MalformedInput(line: number, reason: "the components are too deep")
                }
                open.append(CalendarComponent(name: line.component))
            case "END":
                guard let last = open.popLast(), last.name == line.component else {
                    throw MalformedInput(line: number, reason: "END:\(line.component) ends no component")
                }
                if open.isEmpty { root = last } else { open[open.count - 1].components.append(last) }
            default:
                guard !open.isEmpty else { throw MalformedInput(line: number, reason: "expected BEGIN:VCALENDAR") }
                open[open.count - 1].properties.append(line.property)
            }
        }
        guard let root, open.isEmpty else {
            throw MalformedInput(line: 1, reason: "the object is truncated: it ends without END")
        }
        guard root.name == "VCALENDAR" else { throw MalformedInput(line: 1, reason: "expected BEGIN:VCALENDAR") }
        return root
    }

    /// Replaces a property of the component at a path of names, such as VCALENDAR and VTODO, or adds it before the
    /// components within.
    ///
    /// - Parameters:
    ///   - name: The name in upper case.
    ///   - value: The encoded value; nil removes the property.
    package mutating func set(_ name: String, to value: String?, in path: [String]) {
        var line: Line?
        if let value {
            var text = VCardLines()
            text.add(name + ":" + value)
            let hasReturns = lines.first?.bytes.contains(0x0D) ?? true
            let bytes = text.text.utf8.filter { hasReturns || $0 != 0x0D }
            line = Line(bytes: Array(bytes), property: VCardProperty(name: name, value: value, line: 0))
        }
        var open: [String] = []
        var edited: [Line] = []
        for old in lines {
            let isBegin = old.property.name == "BEGIN"
            let isEnd = old.property.name == "END"
            let isSame = open == path && old.property.name == name
            if open == path, isSame || isBegin || isEnd, let new = line.take() { edited.append(new) }
            if isBegin { open.append(old.component) }
            if isEnd { open.removeLast() }
            if !isSame { edited.append(old) }
        }
        lines = edited
    }
}
