import SwitchboardAirports

extension Airport {
    /// Returns the details of the airport or city whose row has this title and subtitle.
    func details(title: String, subtitle: String, airports: [Airport], language: String) -> [Detail] {
        var details = [
            Detail("name", title, .strong), Detail("in English", title == name ? "" : name),
            Detail(isCity ? "city code" : "IATA", code, .strong), Detail("ICAO", icao ?? ""), Detail("where", subtitle),
            Detail("city code", isCity ? "" : cityCode), Detail("region", region ?? ""),
            Detail("place", "\(latitude),\(longitude)"), Detail("time zone", timeZone),
            Detail("popularity", String(popularity)),
        ]
        if let distance { details.insert(Detail("distance", "\(Int(distance.rounded())) km"), at: 5) }
        details += airports.map { Detail("airport", $0.code + " " + $0.title(in: language)) }
        details += names.byLanguage.map { tag, names in
            Detail(tag == Names.otherTag ? "also" : "in \(tag)", names.joined(separator: ", "))
        }
        return details.filter { !$0.text.isEmpty }
    }
}
