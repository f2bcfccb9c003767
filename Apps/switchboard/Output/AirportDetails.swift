import Airports
import Switchboard

extension Session {
    /// Shows all that is known of an airport or city, a line for each thing.
    func showDetails(of row: SearchResult) {
        guard case .airport(let airport, let airports) = row.object else { return }
        var table = Table()
        func add(_ name: String, _ text: String?, _ tone: Style.Tone = .plain) {
            if let text, !text.isEmpty { table.add([Cell(name, .faint), Cell(text, tone)]) }
        }
        add("name", row.title, .strong)
        if row.title != airport.name { add("in English", airport.name) }
        add(airport.isCity ? "city code" : "IATA", airport.code, .strong)
        add("ICAO", airport.icao)
        add("where", row.subtitle)
        if !airport.isCity { add("city code", airport.cityCode) }
        add("region", airport.region)
        add("place", "\(airport.latitude),\(airport.longitude)")
        add("time zone", airport.timeZone)
        add("popularity", String(airport.popularity))
        for member in airports { add("airport", member.code + " " + member.title(in: displayLanguage)) }
        for (language, names) in airport.names.byLanguage {
            add(language == Names.otherTag ? "also" : "in \(language)", names.joined(separator: ", "))
        }
        table.write(to: output, style: style)
    }
}
