/// The areas of a screen.
struct Layout: Hashable {
    /// The row of the search line.
    let searchLine = 0
    /// The row of the tabs.
    let tabs = 1
    /// The row of the list heading.
    let heading = 2
    /// The area between the heading and the status line.
    var body: Area
    var list: Area
    /// The pane beside or below the list; nil if there is no room.
    var pane: Area?
    /// The row of the rule above a lower pane.
    var rule: Int?
    /// The row of the due reminder.
    var reminder: Int?
    /// The row of the status line.
    var status: Int

    /// The minimum columns for a pane beside the list.
    static let columnsForSide = 100
    /// The minimum rows for a pane below the list.
    static let rowsForLower = 20
    static let keypadHeight = 4

    init(_ size: Size, hasReminder: Bool, hasKeypad: Bool) {
        status = size.rows - 1
        reminder = hasReminder && size.rows > 6 ? size.rows - 2 : nil
        let foot = reminder ?? status
        let height = max(1, foot - 3)
        body = Area(row: 3, column: 0, width: size.columns, height: height)
        list = body
        if size.columns >= Layout.columnsForSide {
            list.width = size.columns * 11 / 20
            pane = Area(row: 3, column: list.width + 1, width: size.columns - list.width - 1, height: height)
        } else if size.rows >= Layout.rowsForLower {
            divide(below: max(7, height * 2 / 5))
        } else if hasKeypad, height > Layout.keypadHeight + 1 {
            divide(below: Layout.keypadHeight)
        }
    }

    private mutating func divide(below paneHeight: Int) {
        list.height = max(1, body.height - paneHeight - 1)
        rule = list.end
        pane = Area(row: list.end + 1, column: 0, width: body.width, height: body.end - list.end - 1)
    }
}

extension Interface {
    var layout: Layout { Layout(size, hasReminder: !dueReminders.isEmpty || dueNotice != nil, hasKeypad: isKeypad) }

    /// The column range of each tab label.
    var tabColumns: [(tab: Tab, columns: Range<Int>)] {
        let isNarrow = size.columns < 48
        var column = 0
        return Tab.allCases.map { tab in
            let width = tab.title.count + (isNarrow ? 0 : 2)
            // The labels take 41 columns; the highlighted one needs no gaps.
            let hasGap = tab != self.tab && (self.tab != .activity || tab != .airports)
            let gap = size.columns < 41 && !hasGap ? 0 : 1
            defer { column += width + gap }
            return (tab, column..<column + width)
        }
    }

    /// Returns the first visible line so that the selected one is visible.
    static func top(of selected: Int, height: Int) -> Int { max(0, selected - max(1, height) + 1) }
}
