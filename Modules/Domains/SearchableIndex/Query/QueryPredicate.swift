import Foundation

/// A query prepared for evaluation on many items.
public struct QueryPredicate: Sendable {
    private indirect enum Step: Sendable {
        case all([Step])
        case any([Step])
        case not(Step)
        case isSet([String])
        case text([String], TextPattern)
        case number(String, QueryComparison, Double)
        case date(String, QueryComparison, Date)
        case flag(String, Bool)
        case numberRange(String, Double, Double)
        case dateRange(String, Date, Date)
    }

    private let root: Step

    init(_ node: QueryNode, textAttributes: [String], now: Date, calendar: Calendar) {
        func step(_ node: QueryNode) -> Step {
            func names(_ attribute: String) -> [String] { attribute == "*" ? textAttributes : [attribute] }
            func date(_ time: TimeExpression) -> Date { time.date(at: now, in: calendar) }
            return switch node {
            case .all(let nodes): .all(nodes.map(step))
            case .any(let nodes): .any(nodes.map(step))
            case .not(let node): .not(step(node))
            case .isSet(let attribute): .isSet(names(attribute))
            case .text(let attribute, let value): .text(names(attribute), TextPattern(value))
            case .number(let attribute, let operation, let value): .number(attribute, operation, value)
            case .date(let attribute, let operation, let time): .date(attribute, operation, date(time))
            case .flag(let attribute, let value): .flag(attribute, value)
            case .numberRange(let attribute, let lower, let upper): .numberRange(attribute, lower, upper)
            case .dateRange(let attribute, let lower, let upper): .dateRange(attribute, date(lower), date(upper))
            }
        }
        root = step(node)
    }

    /// Evaluates the query. Values of another type than the attribute's never match.
    ///
    /// - Complexity: O(*n* · *m*) per comparison, for texts of *n* and literals of *m* code units.
    public func matches(_ source: some AttributeSource) -> Bool {
        Self.holds(root, source)
    }

    private static func holds(_ step: Step, _ source: some AttributeSource) -> Bool {
        switch step {
        case .all(let steps): return steps.allSatisfy { holds($0, source) }
        case .any(let steps): return steps.contains { holds($0, source) }
        case .not(let step): return !holds(step, source)
        case .isSet(let names): return names.contains { !source.values(of: $0).isEmpty }
        case .text(let names, let pattern):
            return names.contains { name in
                source.values(of: name).contains { value in
                    guard case .text(let text) = value else { return false }
                    return pattern.matches(text)
                }
            }
        case .number(let name, let operation, let bound):
            return numbers(source, name).contains { operation.holds($0, bound) }
        case .numberRange(let name, let lower, let upper):
            return numbers(source, name).contains { lower <= $0 && $0 <= upper }
        case .date(let name, let operation, let bound):
            return dates(source, name).contains { operation.holds($0, bound) }
        case .dateRange(let name, let lower, let upper):
            return dates(source, name).contains { lower <= $0 && $0 <= upper }
        case .flag(let name, let flag):
            return source.values(of: name).contains(.flag(flag))
        }
    }

    private static func numbers(_ source: some AttributeSource, _ name: String) -> [Double] {
        source.values(of: name).compactMap { if case .number(let number) = $0 { number } else { nil } }
    }

    private static func dates(_ source: some AttributeSource, _ name: String) -> [Date] {
        source.values(of: name).compactMap { if case .date(let date) = $0 { date } else { nil } }
    }
}
