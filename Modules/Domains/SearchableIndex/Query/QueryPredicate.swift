import Foundation

/// A query prepared for evaluation on many items.
public struct QueryPredicate: Sendable {
    private let holds: @Sendable (any AttributeSource) -> Bool

    init(_ node: QueryNode, textAttributes: [String], now: Date, calendar: Calendar) {
        holds = Self.condition(node) { attribute, test in
            let names = attribute == "*" ? textAttributes : [attribute]
            let holds = Self.condition(test) { $0.date(at: now, in: calendar) }
            return { source in names.contains { source.values(of: $0).contains(where: holds) } }
        }
    }

    /// Evaluates the query. Values of another type than the attribute's never match.
    ///
    /// - Complexity: O(*n* · *m*) per comparison, for texts of *n* and literals of *m* code units.
    public func matches(_ source: some AttributeSource) -> Bool { holds(source) }

    private static func condition(
        _ node: QueryNode, _ comparison: (String, QueryTest) -> @Sendable (any AttributeSource) -> Bool
    ) -> @Sendable (any AttributeSource) -> Bool {
        switch node {
        case .all(let nodes):
            let conditions = nodes.map { condition($0, comparison) }
            return { source in conditions.allSatisfy { $0(source) } }
        case .any(let nodes):
            let conditions = nodes.map { condition($0, comparison) }
            return { source in conditions.contains { $0(source) } }
        case .not(let node):
            let condition = condition(node, comparison)
            return { !condition($0) }
        case .comparison(let attribute, let test): return comparison(attribute, test)
        }
    }

    private static func condition(
        _ test: QueryTest, _ date: (TimeExpression) -> Date
    ) -> @Sendable (AttributeValue) -> Bool {
        func isNumber(_ holds: @escaping @Sendable (Double) -> Bool) -> @Sendable (AttributeValue) -> Bool {
            { if case .number(let number) = $0 { holds(number) } else { false } }
        }
        func isDate(_ holds: @escaping @Sendable (Date) -> Bool) -> @Sendable (AttributeValue) -> Bool {
            { if case .date(let date) = $0 { holds(date) } else { false } }
        }
        switch test {
        case .isSet: return { _ in true }
        case .text(let value):
            let pattern = TextPattern(value)
            return { if case .text(let text) = $0 { pattern.matches(text) } else { false } }
        case .number(let operation, let bound): return isNumber { operation.holds($0, bound) }
        case .numberRange(let lower, let upper): return isNumber { lower <= $0 && $0 <= upper }
        case .date(let operation, let time):
            let bound = date(time)
            return isDate { operation.holds($0, bound) }
        case .dateRange(let lower, let upper):
            let (lower, upper) = (date(lower), date(upper))
            return isDate { lower <= $0 && $0 <= upper }
        case .flag(let flag): return { $0 == .flag(flag) }
        }
    }
}
