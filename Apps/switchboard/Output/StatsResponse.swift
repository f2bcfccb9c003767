import SwitchboardStorage

/// The response of `database stats`.
struct StatsResponse: Encodable {
    struct RowCount: Encodable {
        let name: String
        let rows: Int
    }

    struct Module: Encodable {
        let name: String
        let migrations: [String]
        let generation: Int64
    }

    let path: String
    let fileBytes: Int
    let logBytes: Int
    let pageSize: Int
    let pages: Int
    let freePages: Int
    let sqliteVersion: String
    let tables: [RowCount]
    let modules: [Module]

    init(path: String, _ stats: StorageStats) {
        self.path = path
        fileBytes = stats.fileBytes
        logBytes = stats.logBytes
        pageSize = stats.pageSize
        pages = stats.pages
        freePages = stats.freePages
        sqliteVersion = stats.sqliteVersion
        tables = stats.tables.map { RowCount(name: $0.name, rows: $0.rows) }
        modules = stats.modules.map {
            Module(name: $0.name, migrations: $0.migrations, generation: $0.generation)
        }
    }

    /// The statistics as a table.
    var table: Table {
        var table = Table()
        func add(_ name: String, _ value: String) {
            table.add([Cell(name, .faint), Cell(value, isRightAligned: Int(value) != nil)])
        }
        table.add([Cell("file", .faint), Cell(path)])
        add("bytes", String(fileBytes))
        add("bytes in the log", String(logBytes))
        add("pages of \(pageSize) bytes", String(pages))
        add("free pages", String(freePages))
        for item in tables { add("rows of " + item.name, String(item.rows)) }
        table.add([Cell("SQLite", .faint), Cell(sqliteVersion)])
        return table
    }
}
