/// Where things are on a screen of a size.
struct Layout: Hashable {
    /// The row of the search line.
    let line = 0
    /// The row of the tabs.
    let tabs = 1
    /// The row that says what the list shows.
    let heading = 2
    /// Everything between heading and foot.
    var body: Area
    var list: Area
    /// The side or lower pane; nil where there is no room.
    var pane: Area?
    /// The row between list and lower pane.
    var rule: Int?
    /// The row of the reminder that is due.
    var reminder: Int?
    /// The row of what is said.
    var status: Int

    /// Columns from which the pane stands beside the list, and rows from which it stands below.
    static let columnsForSide = 100
    static let rowsForLower = 20
    /// The rows of the pad.
    static let padHeight = 4

    init(_ size: Size, hasReminder: Bool, hasPad: Bool) {
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
        } else if hasPad, height > Layout.padHeight + 1 {
            divide(below: Layout.padHeight)
        }
    }

    private mutating func divide(below paneHeight: Int) {
        list.height = max(1, body.height - paneHeight - 1)
        rule = list.end
        pane = Area(row: list.end + 1, column: 0, width: body.width, height: body.end - list.end - 1)
    }
}

extension Interface {
    var layout: Layout { Layout(size, hasReminder: !due.isEmpty || dueNotice != nil, hasPad: isKeypad) }

    /// The columns of each tab.
    var tabColumns: [(tab: Tab, columns: Range<Int>)] {
        let isNarrow = size.columns < 48
        var column = 0
        return Tab.allCases.map { tab in
            let width = tab.title.count + (isNarrow ? 0 : 2)
            // The names take 41 columns; the chosen one stands out, so that there need be no gap beside it.
            let hasGap = tab != self.tab && (self.tab != .activity || tab != .airports)
            let gap = size.columns < 41 && !hasGap ? 0 : 1
            defer { column += width + gap }
            return (tab, column..<column + width)
        }
    }

    /// The first of many lines that is shown so that the chosen one is.
    static func top(of chosen: Int, height: Int) -> Int { max(0, chosen - max(1, height) + 1) }
}
