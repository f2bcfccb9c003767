import SwitchboardKit

/// A picker: the interface returns the chosen rows instead of opening them.
public struct Picker: Sendable {
    /// The kinds of rows that a picker can offer.
    public enum Kind: String, CaseIterable, Sendable {
        case contact, airport, prospect, item
        /// Every kind.
        case any
    }

    /// The kind of rows to offer.
    public let kind: Kind
    /// True if Tab marks several rows.
    public let takesSeveral: Bool
    /// The marked rows, in the order in which they were marked.
    var marked: [Row] = []

    /// Creates a picker.
    public init(_ kind: Kind, takesSeveral: Bool = false) {
        self.kind = kind
        self.takesSeveral = takesSeveral
    }

    /// The tab whose search the picker uses.
    var tab: Tab {
        switch kind {
        case .contact: .contacts
        case .airport: .airports
        case .prospect: .prospects
        case .item, .any: .find
        }
    }

    /// The kinds to search in Find.
    var kinds: Set<ResultKind> { kind == .item ? [.item] : Set(ResultKind.allCases) }

    mutating func toggle(_ row: Row) {
        if let index = marked.firstIndex(where: { $0.id == row.id }) {
            marked.remove(at: index)
        } else {
            marked.append(row)
        }
    }
}

extension Interface {
    /// Handles a key of the picker: letters and editing keys search, Enter chooses, Esc cancels.
    mutating func pick(with key: Key, from picker: Picker) -> [Request] {
        switch key {
        case .escape, .control("c"), .control("g"), .control("q"): return [.cancelPicking]
        case .control("z"): return [.suspend]
        case .control("l"): return [.redraw]
        case .enter: return perform(.open)
        case .tab, .backTab:
            guard picker.takesSeveral, !isStale, let row = listing.row else { return [] }
            self.picker?.toggle(row)
            return perform(key == .tab ? .down : .up)
        default:
            if let command = keyTable.command(of: key, isListFocused: false),
                [.down, .up, .pageDown, .pageUp].contains(command)
            {
                return perform(command)
            }
            return edit(key)
        }
    }

    /// Returns the marked rows, or else the selected one; none if the list is empty.
    func picked(by picker: Picker) -> [Request] {
        let rows = picker.marked.isEmpty ? listing.row.map { [$0] } ?? [] : picker.marked
        return [.pick(rows.compactMap(\.result?.link))]
    }
}
