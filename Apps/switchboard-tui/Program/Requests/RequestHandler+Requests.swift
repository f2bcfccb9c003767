import SwitchboardAirports
import SwitchboardBadges
import SwitchboardKeypad
import SwitchboardKit
import SwitchboardProspects
import SwitchboardReminders
import SwitchboardSearchableIndex
import SwitchboardStorage
import SwitchboardTerminalInterface

extension RequestHandler {
    /// Executes a request synchronously.
    func perform(_ request: Request) throws -> Event? {
        switch request {
        case .perform(let edit, let isUndo): return .edited(try switchboard.perform(edit), isUndo: isUndo)
        case .recordView(let result):
            try switchboard.beginShowing(result)
            return nil
        case .recordChoice(let result, let query):
            _ = try switchboard.open(
                1, of: SearchResponse(SearchInput(query), elapsed: .zero, results: [result]))
            return .notice("\(result.title) chosen")
        case .reload(let link, let opens): return .reloaded(try read(link, opens), opens: opens)
        case .resumeActivity(let id):
            let continued = try switchboard.continueActivity(id)
            // An invalidated activity can be viewed, but not become current.
            _ = try? switchboard.activities.becomeCurrent(id)
            return .resumed(url: continued.open, title: continued.activity.title ?? continued.activity.activityType)
        case .badge: return .badge(try badge())
        case .reminders: return .reminders(try switchboard.reminders.list([.pending, .delivered]))
        case .setLocation(let text):
            let place = try switchboard.airports.setLocation(Coordinate.parse(text))
            try switchboard.storage.requireAccess(.location)
            return .notice("location set to \(place.latitude),\(place.longitude)")
        case .grant(let subject, let isGranted, let retry):
            try switchboard.storage.setStatus(isGranted ? .authorized : .denied, of: subject)
            if let retry { return try perform(retry) }
            return .notice("\(subject.rawValue): " + (isGranted ? "allowed" : "not allowed"))
        case .loadMap:
            let catalogue = try switchboard.airports.catalogue
            return .mapLoaded(
                (0..<catalogue.count).compactMap(catalogue.airport(at:)).filter(\.isScheduled).map {
                    MapPoint(latitude: $0.latitude, longitude: $0.longitude)
                })
        default: return nil
        }
    }

    /// Returns the row of an object; nil if it no longer exists and is not about to be opened.
    private func read(_ link: DeepLink, _ opens: Bool) throws -> Row? {
        do {
            return try switchboard.result(at: link).map { Row(.result($0)) }
        } catch {
            if opens { throw error }
            return nil
        }
    }

    private func badge() throws -> BadgeState {
        guard let me = try switchboard.prospects.me() else { return .empty }
        do throws(QRCodeError) {
            return .code(me, try QRCode(Badge(me).vCard))
        } catch {
            return .failed(me, reason: error.description)
        }
    }

    /// Adds the prospects whose badges are in a picture.
    func scan(_ path: String) throws -> Event? {
        var scan = BadgeScan()
        try scan.read(PictureFile.read(path), named: path)
        let report = try scan.finish(into: switchboard)
        let names = report.added.map(\.prospect.displayName).joined(separator: ", ")
        var texts: [String] = []
        if !report.added.isEmpty { texts.append("scanned: \(names)") }
        texts += report.refused.map { $0.reason + ($0.text.map { ": “\($0)”" } ?? "") }
        if !report.empty.isEmpty { texts.append("no code found in the picture") }
        guard !report.added.isEmpty else { return .failed(texts.joined(separator: "; ")) }
        // Undo removes only new prospects.
        let undo = report.added.filter { !$0.wasKnown }.map { EditCommand.removeProspect($0.prospect.id) }
        let only = report.added.count == 1 ? report.added.first : nil
        return .scanned(
            message: texts.joined(separator: "; "), undo: undo,
            link: only.map { DeepLink(kind: .prospect, id: $0.prospect.id) })
    }
}
