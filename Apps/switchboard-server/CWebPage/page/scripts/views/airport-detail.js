// The details of an airport or city.

import { countryName } from "../airport-rows.js";
import { element } from "../elements.js";
import { rowLink } from "../rows.js";
import { texts } from "../texts.js";
import { timeIn } from "../times.js";

/** Returns the details. `airports` are the airports of a city. */
export function airportDetail(airport, airports) {
    const names = texts.airports.fields;
    const facts = [
        [names.code, airport.isCity ? null : airport.code], [names.icao, airport.icao],
        [names.city, airport.isCity ? null : airport.city],
        [names.region, airport.region], [names.country, countryName(airport.country)],
        [names.timeZone, airport.timeZone && `${timeIn(airport.timeZone)} (${airport.timeZone.replaceAll("_", " ")})`],
        [names.place, position(airport)],
    ].filter(([, value]) => value);
    return element("article", { class: "airport" },
        element("header", { class: "person-head" },
            element("span", { class: "portrait code", "aria-hidden": "true" }, airport.code),
            element("div", {}, element("h2", { dir: "auto" }, airport.name),
                element("p", { class: "muted" }, airport.isCity ? texts.airports.cityAirports(airports.length) : airport.city))),
        element("dl", { class: "facts" }, facts.map(([name, value]) => [element("dt", {}, name), element("dd", { dir: "auto" }, value)])),
        airports.length > 0 && [element("h3", {}, texts.airports.anyOf(airport.name)), element("ul", { class: "rows" }, airports.map((one) =>
            element("li", { class: "item" }, rowLink({ kind: "airport", id: one.code, title: one.name, subtitle: "", airport: one }))))]);
}

function position({ latitude, longitude }) {
    if (!Number.isFinite(latitude) || !Number.isFinite(longitude)) return null;
    return `${Math.abs(latitude).toFixed(2)}° ${latitude < 0 ? "S" : "N"}, ${Math.abs(longitude).toFixed(2)}° ${longitude < 0 ? "W" : "E"}`;
}
