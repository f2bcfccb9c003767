import Foundation

extension Date {
    /// A date as items have it: ISO 8601, in UTC unless it says otherwise.
    init?(iso8601 text: String) {
        guard text.utf8.count <= 40, let time = TimeExpression(iso: text) else { return nil }
        switch time {
        case .instant(let date): self = date
        case .local(let seconds): self = Date(timeIntervalSinceReferenceDate: seconds)
        case .now, .start: return nil
        }
    }
}
