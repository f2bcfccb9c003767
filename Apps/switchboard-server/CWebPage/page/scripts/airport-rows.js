// Rows of airports, for the page and for the picker of other sites.

/** Returns the row of an airport of the downloaded list. */
export function airportRow(airport, language = "en") {
    const subtitle = [airport.city, countryName(airport.country, language)].filter(Boolean).join(", ");
    return { kind: "airport", id: airport.code, title: airport.name, subtitle, highlights: {}, airport };
}

/** Adds rows for the airports of each city, below the row of the city. */
export function withCities(results) {
    const shown = new Set();
    return results.flatMap((result) => {
        const nested = (result.airports ?? []).slice(0, 6).map((airport) => ({
            kind: "airport", id: airport.code, title: airport.name, subtitle: "", highlights: {}, airport, isNested: true,
        }));
        return [result, ...nested].filter((row) => {
            if (shown.has(row.id)) return false;
            shown.add(row.id);
            return true;
        });
    });
}

/** Returns the name of a country by its two-letter code. */
export function countryName(code, language = "en") {
    try {
        return new Intl.DisplayNames([language], { type: "region" }).of(code);
    } catch {
        return code;
    }
}
