public import Foundation
public import SwitchboardVCard

/// A filter of calendar objects (RFC 4791, section 9.7).
///
/// It matches tasks by the times that they have; recurrence rules are not expanded.
public struct CalendarFilter: Sendable, Hashable {
    private let calendar: ComponentFilter?

    /// Creates a filter that every object matches.
    public init() { calendar = nil }

    /// Returns `true` if an object matches.
    ///
    /// - Parameters:
    ///   - object: The parsed VCALENDAR.
    ///   - timeZone: The time zone of dates and floating times.
    public func matches(_ object: CalendarComponent, timeZone: TimeZone = .gmt) -> Bool {
        calendar?.matches([object], CalendarTimes(object: object, floating: timeZone)) ?? true
    }

    init(_ element: DAVElement) throws(DAVError) {
        guard let child = element.child(.calendar("comp-filter")) else {
            throw .unmetPrecondition(.calendar("valid-filter"))
        }
        let filter = try ComponentFilter(child)
        guard filter.name == "VCALENDAR" else { throw .unmetPrecondition(.calendar("valid-filter")) }
        calendar = filter
    }
}

private struct ComponentFilter: Sendable, Hashable {
    let name: String
    private let isDefined: Bool
    private let range: TimeRange?
    private var properties: [PropertyFilter] = []
    private var components: [ComponentFilter] = []

    init(_ element: DAVElement) throws(DAVError) {
        name = try element.filterName
        isDefined = element.child(.calendar("is-not-defined")) == nil
        range = try element.child(.calendar("time-range")).map { range throws(DAVError) in try TimeRange(range) }
        // Only tasks are stored, and nothing else has a time in them.
        guard range == nil || name.hasPrefix("V") && !["VCALENDAR", "VALARM"].contains(name) else {
            throw .unmetPrecondition(.calendar("supported-filter"))
        }
        for child in element.children {
            if child.name == .calendar("prop-filter") { try properties.append(PropertyFilter(child)) }
            if child.name == .calendar("comp-filter") { try components.append(ComponentFilter(child)) }
        }
    }

    func matches(_ candidates: [CalendarComponent], _ times: CalendarTimes) -> Bool {
        let found = candidates.filter { $0.name == name }
        guard isDefined else { return found.isEmpty }
        return found.contains { component in
            (range.map { times.overlaps(component, $0) } ?? true)
                && properties.allSatisfy { $0.matches(component.properties, times) }
                && components.allSatisfy { $0.matches(component.components, times) }
        }
    }
}

private struct PropertyFilter: Sendable, Hashable {
    private let name: String
    private let isDefined: Bool
    private let range: TimeRange?
    private let text: DAVTextMatch?
    private var parameters: [ParameterFilter] = []

    init(_ element: DAVElement) throws(DAVError) {
        name = try element.filterName
        isDefined = element.child(.calendar("is-not-defined")) == nil
        range = try element.child(.calendar("time-range")).map { range throws(DAVError) in try TimeRange(range) }
        text = try element.textMatch
        for child in element.children where child.name == .calendar("param-filter") {
            try parameters.append(ParameterFilter(child))
        }
    }

    func matches(_ properties: [VCardProperty], _ times: CalendarTimes) -> Bool {
        let found = properties.filter { $0.name == name }
        guard isDefined else { return found.isEmpty }
        return found.contains { property in
            (range.map { times.contains(property, $0) } ?? true) && (text?.matches(property.text) ?? true)
                && parameters.allSatisfy { $0.matches(property) }
        }
    }
}

private struct ParameterFilter: Sendable, Hashable {
    private let name: String
    private let isDefined: Bool
    private let text: DAVTextMatch?

    init(_ element: DAVElement) throws(DAVError) {
        name = try element.filterName
        isDefined = element.child(.calendar("is-not-defined")) == nil
        text = try element.textMatch
    }

    func matches(_ property: VCardProperty) -> Bool {
        let values = property.values(of: name)
        guard isDefined, let text else { return values.isEmpty != isDefined }
        return values.contains(where: text.matches)
    }
}

extension DAVElement {
    /// The text match within it, without regard to case by default.
    fileprivate var textMatch: DAVTextMatch? {
        get throws(DAVError) {
            try child(.calendar("text-match")).map { text throws(DAVError) in
                try DAVTextMatch(text, collation: .ascii, elseUnmet: .calendar("supported-collation"))
            }
        }
    }

    /// The name that a filter is for, in upper case.
    fileprivate var filterName: String {
        get throws(DAVError) {
            guard let name = attributes["name"], !name.isEmpty else {
                throw .unmetPrecondition(.calendar("valid-filter"))
            }
            return name.uppercased()
        }
    }
}

// MARK: - Times

/// A range of time from its start up to its end (RFC 4791, section 9.9).
private struct TimeRange: Sendable, Hashable {
    let start: Date
    let end: Date

    init(_ element: DAVElement) throws(DAVError) {
        func time(_ name: String) throws(DAVError) -> Date? {
            guard let text = element.attributes[name] else { return nil }
            guard text.hasSuffix("Z"), let property = try? VCardProperty(unfolded: name + ":" + text),
                let time = CalendarDateTime(property)
            else { throw .unmetPrecondition(.calendar("valid-filter")) }
            return time.moment(inFloating: .gmt)
        }
        let (start, end) = try (time("start"), time("end"))
        guard start != nil || end != nil, start ?? .distantPast < end ?? .distantFuture else {
            throw .unmetPrecondition(.calendar("valid-filter"))
        }
        (self.start, self.end) = (start ?? .distantPast, end ?? .distantFuture)
    }
}

/// The times of an object.
private struct CalendarTimes {
    let object: CalendarComponent
    let floating: TimeZone

    private func moment(_ property: VCardProperty?) -> Date? {
        property.flatMap { CalendarDateTime($0, in: object) }?.moment(inFloating: floating)
    }

    func contains(_ property: VCardProperty, _ range: TimeRange) -> Bool {
        moment(property).map { range.start <= $0 && $0 < range.end } ?? false
    }

    /// Returns `true` if a VTODO overlaps a range by the table of RFC 4791, section 9.9.
    func overlaps(_ task: CalendarComponent, _ range: TimeRange) -> Bool {
        let (start, end) = (range.start, range.end)
        func time(_ name: String) -> Date? { moment(task.property(name)) }
        let duration = task.property("DURATION").flatMap { CalendarDuration.seconds(of: $0.value) }
        switch (time("DTSTART"), time("DUE"), time("COMPLETED"), time("CREATED")) {
        case (let from?, let due?, _, _): return (start < due || start <= from) && (end > from || end >= due)
        case (let from?, nil, _, _):
            let until = from + (duration ?? 0)
            return start <= until && (end > from || duration != nil && end >= until)
        case (nil, let due?, _, _): return start < due && end >= due
        case (nil, nil, let completed?, let created?):
            return (start <= created || start <= completed) && (end >= created || end >= completed)
        case (nil, nil, let completed?, nil): return start <= completed && end >= completed
        case (nil, nil, nil, let created?): return end > created
        case (nil, nil, nil, nil): return true
        }
    }
}
