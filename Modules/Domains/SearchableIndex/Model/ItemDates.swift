import Foundation

extension Date {
    /// Parses an ISO 8601 date, in UTC unless it has an offset.
    init?(iso8601 text: String) {
        guard text.utf8.count <= 40, let time = TimeExpression(iso: text) else { return nil }
        switch time {
        case .instant(let date): self = date
        case .local(let seconds): self = Date(timeIntervalSinceReferenceDate: seconds)
        case .now, .start: return nil
        }
    }
}
