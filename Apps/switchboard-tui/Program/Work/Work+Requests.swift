import SwitchboardAirports
import SwitchboardBadges
import SwitchboardProspects
import SwitchboardReminders
import SwitchboardSearchableIndex
import SwitchboardStorage
import SwitchboardKit
import SwitchboardTerminalInterface

extension Work {
    /// Does what is asked for and waits for it.
    func perform(_ request: Request) throws -> Event? {
        switch request {
        case .perform(let edit, let isUndo): return .edited(try switchboard.perform(edit), isUndo: isUndo)
        case .show(let result):
            try switchboard.beginShowing(result)
            return nil
        case .choose(let result, let query):
            _ = try switchboard.open(
                1, of: SearchResponse(query: query, elapsed: .zero, results: [result]))
            return .noted("\(result.title) chosen")
        case .read(let place, let goesThere): return .read(try read(place, goesThere), goesThere: goesThere)
        case .goOn(let id):
            let continued = try switchboard.continueActivity(id)
            // What was ended for good can be looked at, but is not current again.
            _ = try? switchboard.activities.becomeCurrent(id)
            return .continued(open: continued.open, title: continued.activity.title ?? continued.activity.activityType)
        case .badge: return .badge(try badge())
        case .reminders: return .reminders(try switchboard.reminders.list([.pending, .delivered]))
        case .setPlace(let text):
            let place = try switchboard.airports.setHere(Coordinate.parse(text))
            try switchboard.storage.requireAccess(.location)
            return .noted("your place is \(place.latitude),\(place.longitude)")
        case .grant(let subject, let isGranted, let retry):
            try switchboard.storage.setStatus(isGranted ? .authorized : .denied, of: subject)
            if let retry { return try perform(retry) }
            return .noted("\(subject.rawValue): " + (isGranted ? "allowed" : "not allowed"))
        case .world:
            let catalogue = try switchboard.airports.catalogue
            return .world(
                (0..<catalogue.count).compactMap(catalogue.airport(at:)).filter(\.isScheduled).map {
                    MapPoint(latitude: $0.latitude, longitude: $0.longitude)
                })
        default: return nil
        }
    }

    /// What is at a place; nil if it is no more and nobody wants to go there.
    private func read(_ place: DeepLink, _ goesThere: Bool) throws -> Row? {
        do {
            return try switchboard.result(at: place).map { Row(.result($0)) }
        } catch {
            if goesThere { throw error }
            return nil
        }
    }

    private func badge() throws -> OwnBadge {
        guard let me = try switchboard.prospects.me() else { return .none }
        do throws(QRCodeError) {
            return .code(me, try QRCode(Badge(me).vCard))
        } catch {
            return .failed(me, reason: error.description)
        }
    }

    /// Adds the people whose badges are in a picture.
    func scan(_ path: String) throws -> Event? {
        var scan = BadgeScan()
        try scan.read(PictureFile.read(path), named: path)
        let report = try scan.finish(into: switchboard)
        let names = report.added.map(\.prospect.displayName).joined(separator: ", ")
        var texts: [String] = []
        if !report.added.isEmpty { texts.append("met: \(names)") }
        texts += report.refused.map { $0.reason + ($0.text.map { ": “\($0)”" } ?? "") }
        if !report.empty.isEmpty { texts.append("there is no code in the picture") }
        guard !report.added.isEmpty else { return .failed(texts.joined(separator: "; ")) }
        // Somebody known before is not removed by undoing.
        let undo = report.added.filter { !$0.wasKnown }.map { Edit.removeProspect($0.prospect.id) }
        let only = report.added.count == 1 ? report.added.first : nil
        return .scanned(
            message: texts.joined(separator: "; "), undo: undo,
            place: only.map { DeepLink(kind: .prospect, id: $0.prospect.id) })
    }
}
