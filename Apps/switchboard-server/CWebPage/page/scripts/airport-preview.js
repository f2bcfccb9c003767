// A search of the downloaded popular airports, shown until the answer of the server arrives. It knows no typing errors; the server does.

const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLocaleLowerCase("en");

let folded = { airports: null, rows: [] };

function foldedRow(airport) {
    const others = (airport.names ?? []).map(fold);
    return { airport, codes: [airport.code, airport.cityCode].filter(Boolean).map(fold), city: fold(airport.city), name: fold(airport.name), others };
}

/** Returns the airports, best first, that begin with a query: by code, city, name, name in another language, or a later word. */
export function previewAirports(airports, query, limit) {
    if (folded.airports !== airports) folded = { airports, rows: airports.map(foldedRow) };
    const wanted = fold(query.trim());
    if (wanted === "") return [];
    const grade = ({ codes, city, name, others }) => {
        if (codes.includes(wanted)) return 0;
        if (city.startsWith(wanted)) return 1;
        if (name.startsWith(wanted) || others.some((other) => other.startsWith(wanted))) return 2;
        return [city, name, ...others].some((text) => text.includes(` ${wanted}`)) ? 3 : null;
    };
    // The airports are in the order of popularity, which a stable sort keeps.
    return folded.rows.map((row) => ({ airport: row.airport, grade: grade(row) })).filter((row) => row.grade !== null)
        .sort((one, other) => one.grade - other.grade).slice(0, limit).map((row) => row.airport);
}
