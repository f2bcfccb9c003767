// The Airports view: nearest, recent and popular airports, search, and a map.

import { airportMap } from "../airport-map.js";
import { previewAirports } from "../airport-preview.js";
import { airportRow, withCities } from "../airport-rows.js";
import { element, fill } from "../elements.js";
import { recordChoice } from "../engagement.js";
import { icon } from "../icons.js";
import { firstRow, enableRowKeys } from "../list-keys.js";
import { announce, fail } from "../messages.js";
import { panes } from "../panes.js";
import { coarseLocation } from "../location.js";
import { get, path, post } from "../requests.js";
import { go } from "../routes.js";
import { rowContent, rowLink } from "../rows.js";
import { searchField } from "../search-field.js";
import { signedIn } from "../session.js";
import { texts } from "../texts.js";
import { airportDetail } from "./airport-detail.js";

export function airportsView() {
    let open = null;
    let near = null;
    const map = airportMap({ choose: (code) => go("airports", code) });
    const nearest = element("section", { class: "block" });
    const recent = element("section", { class: "block" });
    const popular = element("section", { class: "block" });
    const offers = element("div", { class: "offers" }, nearest, recent, popular);

    const search = searchField({
        label: texts.airports.label, placeholder: texts.airports.placeholder,
        search: async (query, signal) => {
            const answer = await get(path(["airports"], { q: query, limit: 20 }), { signal });
            return { ...answer, results: withCities(answer.results) };
        },
        preview: (query) => previewAirports(map.known(), query, 10).map((airport) => airportRow(airport)),
        option: (result) => (result.isNested ? [element("span", { class: "nested", "aria-hidden": "true" }), rowContent(result)] : rowContent(result)),
        choose: (result, query) => {
            recordChoice(result, query);
            choose(result.id);
        },
        changed: (query, isOpen) => { offers.hidden = isOpen; },
        found: (results) => {
            if (open === null) map.mark(results.map((result) => result.airport));
        },
        below: () => firstRow(offers) ?? nearest.querySelector("button"),
    });
    enableRowKeys(offers, () => search.input);
    const both = panes([search.element, offers], "airports");
    both.element.classList.add("with-map");
    both.element.prepend(map.element);

    /** Opens an airport and adds it to the recent ones. */
    function choose(code) {
        go("airports", code);
        if (!signedIn()) return;
        post(path(["airports", "recent"]), { json: { code } }).then(loadRecent).catch((error) => {
            if (error.status !== 403) fail(error);
        });
    }

    function rows(title, results) {
        return [element("h2", {}, title), element("ul", { class: "rows" }, results.map((result) => element("li", { class: "item" },
            rowLink(result, {
                onclick: (event) => {
                    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
                    event.preventDefault();
                    choose(result.id);
                },
            }))))];
    }

    async function loadRecent() {
        if (!signedIn()) return;
        try {
            const { results } = await get(path(["airports", "recent"]));
            fill(recent, results.length > 0 ? rows(texts.airports.recent, results.slice(0, 5)) : []);
        } catch (error) {
            if (error.status !== 403) throw error;
        }
    }

    async function loadPopular() {
        if (popular.childElementCount > 0) return;
        const airports = await map.popular(12);
        fill(popular, airports.length > 0 ? rows(texts.airports.popular, airports.map((airport) => airportRow(airport))) : []);
    }

    function offerNearest() {
        fill(nearest, element("h2", {}, texts.airports.nearest),
            element("button", { type: "button", class: "button", onclick: () => showNearest().catch(fail) }, icon("place"), texts.airports.showNearest),
            element("p", { class: "small muted" }, texts.purposes.location));
    }

    async function showNearest() {
        near = await coarseLocation();
        if (near === null) return;
        const answer = await get(path(["airports", "nearest"], { lat: near.latitude, lon: near.longitude, limit: 8 }));
        fill(nearest, answer.results.length > 0 ? rows(texts.airports.nearest, answer.results)
            : [element("h2", {}, texts.airports.nearest), element("p", {}, texts.airports.nothingNear)]);
        map.mark(answer.results.map((result) => result.airport));
        announce(texts.search.count(answer.results.length, true));
        firstRow(nearest)?.focus();
    }

    async function show([code], isNew) {
        const before = open;
        open = code ?? null;
        if (open === null) {
            both.empty();
            if (before !== null) map.mark([]);
            // Before the lists are loaded: afterwards the focus may be elsewhere.
            if (before !== null) both.restore(offers.hidden ? null : offers.querySelector(`a.row[href$="/${CSS.escape(before)}"]`), search.input);
            else if (isNew) both.restore(null, search.input);
        }
        if (isNew) {
            if (nearest.childElementCount === 0) offerNearest();
            await Promise.all([loadRecent().catch(fail), loadPopular()]);
        }
        if (code === undefined || open !== code) return;
        const answer = await get(path(["airports", code]));
        if (open !== code) return;
        const airports = answer.airports ?? answer.results?.[0]?.airports ?? [];
        const airport = answer.airport ?? answer.results?.[0]?.airport ?? answer;
        both.show(airportDetail({ ...airport, name: answer.title ?? airport.name }, airports));
        map.mark(airports.length > 0 ? airports : [airport]);
    }

    return {
        search,
        element: both.element,
        show,
        async refresh(changed) {
            if (changed.has("airports")) await loadRecent();
        },
    };
}
