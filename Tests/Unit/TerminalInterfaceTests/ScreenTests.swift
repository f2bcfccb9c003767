import SwitchboardKit
import SwitchboardTestSupport
import Testing

@testable import SwitchboardTerminalInterface

@Suite("Screens")
struct ScreenTests {
    @Test("Names in all scripts keep the columns aligned")
    func columns() {
        var interface = Interface(size: Size(columns: 80, rows: 12))
        let names = ["Jogo", "山田太郎", "김민준", "E\u{301}va", "שלום", "Юрий", "👩‍👩‍👧 Family"]
        interface.answer(interface.start(), names.enumerated().map { contactRow($1, id: "\($0)") })
        let screen = interface.screen()
        var columns: Set<Int> = []
        for row in interface.layout.list.row..<interface.layout.list.end {
            if let column = screen.rows[row].firstIndex(where: { $0.text == "+" }) { columns.insert(column) }
        }
        #expect(columns.count == 1)
    }

    @Test("The pane is beside the list on a wide screen, below it on a tall one, and absent on a small one")
    func pane() {
        func layout(_ columns: Int, _ rows: Int) -> Layout {
            Layout(Size(columns: columns, rows: rows), hasReminder: false, hasKeypad: false)
        }
        #expect(layout(120, 40).pane?.column ?? 0 > 0)
        #expect(layout(80, 24).pane?.row ?? 0 > 3)
        #expect(layout(40, 12).pane == nil)
        #expect(layout(40, 12).list.height == 8)
    }

    @Test("Cities have their relative positions on the map")
    func map() {
        let map = BrailleMap(of: [], columns: 60, rows: 15)
        let london = map.dot(of: MapPoint(latitude: 51.5, longitude: -0.1))
        let sydney = map.dot(of: MapPoint(latitude: -33.9, longitude: 151.2))
        let lima = map.dot(of: MapPoint(latitude: -12, longitude: -77))
        #expect(london.map { $0.column } == 29)
        #expect((sydney?.column ?? 0) > (london?.column ?? 0) && (lima?.column ?? 99) < (london?.column ?? 0))
        #expect((sydney?.row ?? 0) > (london?.row ?? 99))
    }

    @Test("A zoomed map is centered, and shows no more than the world")
    func zoomedMap() throws {
        let (london, perth) = (MapPoint(latitude: 51.5, longitude: -0.1), MapPoint(latitude: -31.9, longitude: 115.9))
        func map(_ zoom: Int) -> BrailleMap {
            BrailleMap(of: [london, perth], columns: 60, rows: 16, zoom: zoom, center: perth)
        }
        #expect(map(0).dot(of: london) != nil && map(0).dot(of: perth) != nil)
        for zoom in 1...BrailleMap.maximumZoom {
            let place = try #require(map(zoom).dot(of: perth))
            #expect((29...30).contains(place.column) && (7...8).contains(place.row), "zoom \(zoom)")
        }
        #expect(map(1).dot(of: london) == nil)
        #expect(map(-3) == map(-BrailleMap.maximumZoom))
    }

    @Test("The map shows the coasts: Africa has one, the middle of the Pacific none")
    func coasts() {
        let bits = BrailleMap(of: [], columns: 80, rows: 24).coasts()
        func hasCoast(_ latitudes: ClosedRange<Double>, _ longitudes: ClosedRange<Double>) -> Bool {
            let map = BrailleMap(of: [], columns: 80, rows: 24)
            return stride(from: latitudes.lowerBound, through: latitudes.upperBound, by: 2).contains { latitude in
                stride(from: longitudes.lowerBound, through: longitudes.upperBound, by: 2).contains { longitude in
                    let dot = map.dot(of: MapPoint(latitude: latitude, longitude: longitude))
                    return dot.map { bits[$0.row][$0.column] != 0 } ?? false
                }
            }
        }
        #expect(hasCoast(4...6, -8...0))
        #expect(hasCoast(50...52, 0...4))
        #expect(!hasCoast(15...30, -150 ... -125))
        #expect(!hasCoast(18...22, 5...25))
        // Around Fiji, the coasts continue across the meridian of 180 degrees.
        let points = [MapPoint(latitude: -17.8, longitude: 177), MapPoint(latitude: -17.8, longitude: 182)]
        let fiji = BrailleMap(of: points, columns: 80, rows: 24)
        let east = fiji.dot(of: MapPoint(latitude: -16.8, longitude: 180.1))
        #expect(fiji.coasts().contains { row in row[(east?.column ?? 0)...].contains { $0 != 0 } })
    }

    @Test("The selected row has one colour throughout")
    func selectedRow() {
        var interface = Interface(size: Size(columns: 80, rows: 12))
        var contact = contactRow("Jogo", id: "1")
        if case .result(var result) = contact.content {
            result.highlights = ["name": [0..<2]]
            contact.content = .result(result)
        }
        interface.answer(interface.type("jo"), [contact])
        let row = interface.screen().rows[interface.layout.list.row]
        #expect(row.allSatisfy { $0.style.tone == .plain && $0.style.attributes.contains(.reverse) })
        #expect(row.contains { $0.style.attributes.contains(.underline) })
    }

    @Test("The map highlights the listed airports, the selected one most strongly")
    func mapOfRows() {
        var interface = Interface(size: Size(columns: 60, rows: 20))
        interface.go(to: "4", [])
        interface.answer(
            interface.type("ber"),
            [
                airportRow("BER", "Berlin", latitude: 52, longitude: 13),
                airportRow("BRN", "Bern", latitude: 47, longitude: 7),
            ])
        interface.press(.alt("m"))
        let found = interface.screen().rows.joined().filter { $0.style.tone == .marker }
        #expect(found.map(\.text).joined() == "●BER●BRN")
        #expect(found.filter { $0.style.attributes.contains(.reverse) }.map(\.text).joined() == "●BER")
    }

    @Test("Random input at random sizes never traps and fills every cell", arguments: 0..<12)
    func anything(seed: Int) {
        var random = SplitMix(seed: UInt64(seed))
        var interface = Interface(size: Size(columns: 80, rows: 24))
        var keys: [Key] = [
            .enter, .escape, .tab, .backTab, .backspace, .delete, .up, .down, .left, .right, .home, .end, .pageUp,
            .pageDown, .function(1), .control("n"), .control("s"), .alt("!"), .alt(":"),
        ]
        keys += "12345".map { .alt($0) }
        keys += "abcdefrstu:/? !mlopBRGgvVMDhIXné日ש5".map { .character($0) }
        for step in 0..<150 {
            var requests: [Request] = []
            switch Int.random(in: 0..<12, using: &random) {
            case 0:
                let size = Size(
                    columns: Int.random(in: 1...140, using: &random), rows: Int.random(in: 1...50, using: &random))
                requests = interface.handle(.resized(size))
            case 1:
                let mouse = Mouse(
                    [.press, .doublePress, .wheelUp, .wheelDown].randomElement(using: &random) ?? .press,
                    row: Int.random(in: 0..<50, using: &random), column: Int.random(in: 0..<140, using: &random))
                requests = interface.handle(.mouse(mouse))
            case 2: requests = interface.handle(.paste("x\n日本"))
            default: requests = interface.press(keys.randomElement(using: &random) ?? .enter)
            }
            if let search = requests.searches.last {
                let count = Int.random(in: 0..<60, using: &random)
                let rows = (0..<count).map { (number: Int) -> Row in
                    guard number % 3 == 0 else { return contactRow("Person שלום 日本 \(number)", id: "\(number)") }
                    return airportRow(
                        "A\(number)", "Ort \(number)", latitude: Double(number), longitude: Double(number * 3))
                }
                _ = interface.handle(
                    .searchUpdated(SearchUpdate(ticket: search.ticket, rows: rows, hasMore: step % 2 == 0)))
            }
            let screen = interface.screen()
            #expect(screen.rows.count == screen.size.rows)
            for cells in screen.rows {
                #expect(cells.count == screen.size.columns)
                for (column, cell) in cells.enumerated() where cell.width == 2 {
                    #expect(column + 1 < cells.count && cells[column + 1].width == 0)
                }
            }
            #expect((0..<max(1, screen.size.rows)).contains(screen.cursor.row))
            #expect((0..<max(1, screen.size.columns)).contains(screen.cursor.column))
        }
    }
}
