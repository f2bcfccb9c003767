(() => {
const m0 = (() => {
function element(name, properties = {}, ...children) {
const made = document.createElement(name);
for (const [key, value] of Object.entries(properties)) {
if (value === false || value === null || value === undefined) continue;
if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
else made.setAttribute(key, value === true ? "" : String(value));
}
made.append(...nodes(children));
return made;
}

function fill(parent, ...children) {
parent.replaceChildren(...nodes(children));
return parent;
}

function nodes(children) {
return children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
}

let count = 0;

function freshId(prefix) {
count += 1;
return `${prefix}-${count}`;
}
return { element, fill, freshId };
})();
const m1 = (() => {
const paths = {
find: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13M15.3 15.3 20 20",
contacts: "M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8M4.5 20c.7-3.6 3.8-5.5 7.5-5.5s6.8 1.9 7.5 5.5",
prospects: "M5 6.5h14v13H5zM9 4v4M15 4v4M9 12.5h6M9 16h4",
airports: "M3 13.5l7-2.5V5.5a2 2 0 0 1 4 0V11l7 2.5v2.200l-7-1.400v3.700l2 1.5V21l-4-1-4 1v-1.5l2-1.5v-3.700l-7 1.400z",
activity: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16M12 8v4.5l3 2",
settings: "M4 7h9M17 7h3M15 5v4M4 17h3M11 17h9M9 15v4M4 12h3M11 12h9M9 10v4",
go: "M9.5 5.5 16 12l-6.5 6.5",
order: "M8 5v14M4.5 15.5 8 19l3.5-3.5M16 19V5M12.5 8.5 16 5l3.5 3.5",
close: "M6 6l12 12M18 6 6 18",
back: "M14.5 5.5 8 12l6.5 6.5",
add: "M12 5v14M5 12h14",
camera: "M4 8h3.5L9 5.5h6L16.5 8H20v11H4zM12 10a3.3 3.3 0 1 0 0 6.6 3.3 3.3 0 0 0 0-6.6",
picture: "M4 5h16v14H4zM4 16l4.5-4.5 4 4 3-2.5 4.5 4M15.5 9h.01",
badge: "M5 5h5v5H5zM14 5h5v5h-5zM5 14h5v5H5zM14 14h2v2h-2zM17 17h2v2h-2zM17.5 14h1.5M14 18.5h1",
star: "M12 4.5l2.3 4.9 5.2.7-3.8 3.7.9 5.300L12 16.5l-4.6 2.6.9-5.3-3.8-3.7 5.2-.7z",
bell: "M6 16.5c1.3-1.5 1.5-3 1.5-5.5a4.5 4.5 0 0 1 9 0c0 2.5.2 4 1.5 5.5zM10.3 19.5h3.4",
remove: "M5 7h14M10 7V4.5h4V7M7 7l.8 12.5h8.400L17 7M10.5 10.5v6M13.5 10.5v6",
edit: "M5 19l.8-3.800L15.5 5.5l3 3L8.8 18.200zM13.5 7.5l3 3",
tick: "M5.5 12.5l4.3 4.300L18.5 8",
keypad: "M6.5 6h.01M12 6h.01M17.5 6h.01M6.5 12h.01M12 12h.01M17.5 12h.01M6.5 18h.01M12 18h.01M17.5 18h.01",
erase: "M9 6h11v12H9l-5.5-6zM12 9.5l5 5M17 9.5l-5 5",
phone: "M6 4.5h3.5l1.5 4-2 1.5c.9 2.3 2.7 4.1 5 5l1.5-2 4 1.5V18c0 1-.8 1.7-1.8 1.600C10.5 19 5 13.5 4.4 6.3 4.3 5.3 5 4.5 6 4.5z",
message: "M4 5.500h16v11h-9l-4.500 3.500v-3.500H4z",
mail: "M4 6.5h16v11H4zM4 7l8 6 8-6",
place: "M12 21s6-5.7 6-10.5a6 6 0 0 0-12 0C6 15.3 12 21 12 21zM12 8.5a2 2 0 1 0 0 4 2 2 0 0 0 0-4",
link: "M10 14a4 4 0 0 0 5.7 0l2.6-2.600a4 4 0 0 0-5.7-5.700l-1 1M14 10a4 4 0 0 0-5.7 0l-2.6 2.600a4 4 0 0 0 5.7 5.700l1-1",
item: "M6 4.5h8l4 4v11H6zM14 4.5v4h4M9 12.5h6M9 16h6",
import: "M12 4v10M8 10.5l4 4 4-4M5 19.5h14",
copy: "M8.5 8.5h11v11h-11zM15.5 8.5v-4h-11v11h4",
};

function icon(name) {
const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
svg.setAttribute("viewBox", "0 0 24 24");
svg.setAttribute("class", `icon icon-${name}`);
svg.setAttribute("aria-hidden", "true");
svg.setAttribute("focusable", "false");
const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
path.setAttribute("d", paths[name] ?? "");
svg.append(path);
return svg;
}
return { icon };
})();
const m2 = (() => {
const { element, fill, freshId } = m0;
const { icon } = m1;
const maximumRequests = 3;

function combobox({
words, announce, fail, clearError, label, placeholder, search, preview = () => [], option, choose, changed = () => {}, found = () => {},
below = () => null, tools = [],
}) {
const listId = freshId("results");
let running = [];
let results = [];
let active = -1;
let answered = null;
let slowTimer = null;

const input = element("input", {
type: "text", role: "combobox", class: "search-input", "aria-label": label, placeholder, autocomplete: "off",
autocapitalize: "off", autocorrect: "off", spellcheck: "false", enterkeyhint: "search", "aria-autocomplete": "list",
"aria-expanded": "false", "aria-controls": listId, dir: "auto",
});
const clear = element("button", {
type: "button", class: "plain round search-clear", "aria-label": words.clear, hidden: true,
onclick: () => { set(""); input.focus(); },
}, icon("close"));
const list = element("ul", { role: "listbox", id: listId, class: "options", "aria-label": words.results, hidden: true });
const nothing = element("p", { class: "nothing", hidden: true });
const field = element("div", { class: "search" },
element("div", { class: "search-box" }, icon("find"), input, clear), tools, list, nothing);

const isOpen = () => input.getAttribute("aria-expanded") === "true";

function mark(index) {
const options = list.children;
if (active >= 0) options[active]?.setAttribute("aria-selected", "false");
active = index;
const chosen = options[index];
if (!chosen) {
input.removeAttribute("aria-activedescendant");
return;
}
chosen.setAttribute("aria-selected", "true");
input.setAttribute("aria-activedescendant", chosen.id);
chosen.scrollIntoView({ block: "nearest" });
}

function open() {
const hasRows = results.length > 0;
input.setAttribute("aria-expanded", String(hasRows));
list.hidden = !hasRows;
nothing.hidden = hasRows;
nothing.textContent = hasRows ? "" : words.nothing(input.value.trim());
changed(input.value.trim(), true);
found(results);
}

function close() {
clearTimeout(slowTimer);
input.setAttribute("aria-expanded", "false");
list.hidden = true;
nothing.hidden = true;
mark(-1);
changed(input.value.trim(), false);
found([]);
}

function show(answer) {
const chosen = results[active]?.id;
results = answer.results;
active = -1;
input.removeAttribute("aria-activedescendant");
fill(list, results.map((result, index) => element("li", {
role: "option", id: `${listId}-${index}`, class: "option", "aria-selected": "false",
onpointerdown: (event) => { if (event.pointerType === "mouse") event.preventDefault(); },
onclick: () => pick(index),
}, option(result))));
open();
const again = results.findIndex((result) => result.id === chosen);
if (chosen !== undefined && again >= 0) mark(again);
announce(words.count(results.length, answer.final !== false));
}

function pick(index) {
const result = results[index];
if (result) choose(result, input.value.trim());
}

function stop() {
for (const one of running) one.controller.abort();
running = [];
}

function forget() {
stop();
clearTimeout(slowTimer);
answered = null;
results = [];
fill(list);
announce("");
clearError();
close();
}

function ask() {
const query = input.value.trim();
clear.hidden = input.value === "";
if (query === "") {
forget();
return null;
}
if (query === answered) {
open();
return null;
}
const known = preview(query);
if (known.length > 0) show({ results: known, final: false });
const last = running.at(-1);
if (last?.query === query) return last.promise;
const mine = { query, controller: new AbortController() };
running.push(mine);
if (running.length > maximumRequests) running.shift().controller.abort();
mine.promise = run(mine);
return mine.promise;
}

async function run(mine) {
clearTimeout(slowTimer);
slowTimer = setTimeout(() => announce(words.searching), 500);
try {
const answer = await search(mine.query, mine.controller.signal);
if (!running.includes(mine)) return;
for (const older of running.splice(0, running.indexOf(mine) + 1)) {
if (older !== mine) older.controller.abort();
}
clearTimeout(slowTimer);
clearError();
answered = mine.query;
const typed = input.value.trim();
if (mine.query === typed || preview(typed).length === 0) show(answer);
} catch (error) {
if (!running.includes(mine)) return;
running = running.filter((one) => one !== mine);
clearTimeout(slowTimer);
announce("");
answered = null;
if (preview(input.value.trim()).length === 0) {
results = [];
fill(list);
close();
}
fail(error);
}
}

function set(text) {
input.value = text;
return ask();
}

input.addEventListener("input", ask);
input.addEventListener("keydown", async (event) => {
if (event.isComposing) return;
const last = results.length - 1;
switch (event.key) {
case "ArrowDown":
event.preventDefault();
if (input.value.trim() === "") below()?.focus();
else if (!isOpen()) { await ask(); if (isOpen()) mark(0); } else mark(active >= last ? 0 : active + 1);
break;
case "ArrowUp":
event.preventDefault();
if (isOpen()) mark(active <= 0 ? last : active - 1);
break;
case "PageDown":
if (isOpen()) { event.preventDefault(); mark(Math.min(last, active + 8)); }
break;
case "PageUp":
if (isOpen()) { event.preventDefault(); mark(Math.max(0, active - 8)); }
break;
case "Enter":
event.preventDefault();
if (input.value.trim() !== answered) await ask();
if (isOpen()) pick(Math.max(0, active));
break;
case "Escape":
if (isOpen() || !nothing.hidden) { event.preventDefault(); stop(); close(); } else if (input.value !== "") {
event.preventDefault();
set("");
}
break;
default:
}
});

return {
element: field, input, set,
settle(text) {
input.value = text;
clear.hidden = text === "";
forget();
},
close() {
stop();
close();
},
refresh: () => {
const isAsking = running.length > 0;
answered = null;
stop();
return isAsking || isOpen() || !nothing.hidden ? ask() : undefined;
},
get query() { return input.value.trim(); },
get isOpen() { return isOpen() || !nothing.hidden; },
};
}
return { combobox };
})();
const m3 = (() => {
const { element } = m0;
function marked(text, ranges) {
const sound = (ranges ?? []).filter(([start, length]) => start >= 0 && length > 0);
if (sound.length === 0) return [text];
const scalars = Array.from(text);
const nodes = [];
let shown = 0;
for (const [start, length] of sound) {
if (start < shown || start + length > scalars.length) continue;
if (start > shown) nodes.push(scalars.slice(shown, start).join(""));
nodes.push(element("mark", {}, scalars.slice(start, start + length).join("")));
shown = start + length;
}
if (shown < scalars.length) nodes.push(scalars.slice(shown).join(""));
return nodes;
}
return { marked };
})();
const m4 = (() => {
const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLocaleLowerCase("en");

let folded = { airports: null, rows: [] };

function foldedRow(airport) {
const others = (airport.names ?? []).map(fold);
return { airport, codes: [airport.code, airport.cityCode].filter(Boolean).map(fold), city: fold(airport.city), name: fold(airport.name), others };
}

function previewAirports(airports, query, limit) {
if (folded.airports !== airports) folded = { airports, rows: airports.map(foldedRow) };
const wanted = fold(query.trim());
if (wanted === "") return [];
const grade = ({ codes, city, name, others }) => {
if (codes.includes(wanted)) return 0;
if (city.startsWith(wanted)) return 1;
if (name.startsWith(wanted) || others.some((other) => other.startsWith(wanted))) return 2;
return [city, name, ...others].some((text) => text.includes(` ${wanted}`)) ? 3 : null;
};
return folded.rows.map((row) => ({ airport: row.airport, grade: grade(row) })).filter((row) => row.grade !== null)
.sort((one, other) => one.grade - other.grade).slice(0, limit).map((row) => row.airport);
}
return { previewAirports };
})();
const m5 = (() => {
function airportRow(airport, language = "en") {
const subtitle = [airport.city, countryName(airport.country, language)].filter(Boolean).join(", ");
return { kind: "airport", id: airport.code, title: airport.name, subtitle, highlights: {}, airport };
}

function withCities(results) {
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

function countryName(code, language = "en") {
try {
return new Intl.DisplayNames([language], { type: "region" }).of(code);
} catch {
return code;
}
}
return { airportRow, withCities, countryName };
})();
const m6 = (() => {
const styles = `
:host {
--accent: var(--switchboard-accent, light-dark(#0b5f5a, #7fd6c8)); --ink: var(--switchboard-ink, light-dark(#182024, #e9eef0));
--muted: var(--switchboard-muted, light-dark(#55626a, #a3b0b7)); --surface: var(--switchboard-surface, light-dark(#ffffff, #191f24));
--line: var(--switchboard-line, light-dark(#7f8c92, #74828a)); --chosen: var(--switchboard-chosen, light-dark(#e0efec, #1d3936));
--mark: var(--switchboard-mark, light-dark(#ffe08a, #6b5410)); --on-mark: var(--switchboard-on-mark, light-dark(#2b2106, #fff3cc));
display: inline-block; position: relative; width: 20rem; max-width: 100%; font: inherit; text-align: start; line-height: 1.4;
}
:host([hidden]), [hidden] { display: none !important; }
*, *::before { box-sizing: border-box; }
.search-box { position: relative; display: flex; align-items: center; }
.search-box > .icon { position: absolute; inset-inline-start: 0.7em; color: var(--muted); pointer-events: none; }
.icon { width: 1.3em; height: 1.3em; fill: none; stroke: currentcolor; stroke-width: 1.8; stroke-linecap: round; stroke-linejoin: round; }
input {
font: inherit; color: var(--ink); background: var(--surface); width: 100%; min-height: 44px; margin: 0; padding: 0.4em 44px 0.4em 2.5em;
border: 1px solid var(--line); border-radius: 8px;
}
input:dir(rtl) { padding: 0.4em 2.5em 0.4em 44px; }
input::placeholder { color: var(--muted); opacity: 1; }
input:focus-visible { outline: 3px solid var(--accent); outline-offset: -1px; }
input:disabled { opacity: 0.6; }
button {
position: absolute; inset-inline-end: 0; width: 44px; height: 44px; padding: 0; border: 0; background: none; color: var(--muted); cursor: pointer;
}
button:focus-visible { outline: 3px solid var(--accent); outline-offset: -6px; border-radius: 10px; }
.options, .nothing, .note {
position: absolute; z-index: 1000; inset-inline: 0; top: calc(100% + 4px); margin: 0; padding: 0; list-style: none; overflow: auto; max-height: min(22rem, 60vh);
color: var(--ink); background: var(--surface); border: 1px solid var(--line); border-radius: 8px; box-shadow: 0 6px 20px rgb(0 0 0 / 18%);
}
.nothing, .note { padding: 0.8em; color: var(--muted); }
.option { display: flex; align-items: center; gap: 0.7em; min-height: 44px; padding: 0.3em 0.8em; cursor: pointer; overflow-wrap: anywhere; }
.option[aria-selected="true"] { background: var(--chosen); box-shadow: inset 3px 0 var(--accent); }
@media (hover: hover) { .option:hover { background: var(--chosen); } }
@media (forced-colors: active) { .option[aria-selected="true"] { outline: 2px solid Highlight; outline-offset: -2px; } }
.code.nested { margin-inline-start: 1.2em; }
.code { flex: none; min-width: 2.6em; font-weight: 700; color: var(--accent); font-variant-numeric: tabular-nums; }
.title, .subtitle { display: block; }
.subtitle { color: var(--muted); font-size: 0.875em; }
mark { background: var(--mark); color: var(--on-mark); border-radius: 2px; }
.status:not(.note) { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
`;
return { styles };
})();
const m7 = (() => {
const languages = {
en: {
label: "Airport", placeholder: "City, airport or code", clear: "Clear", results: "Airports", searching: "Searching …",
nothing: (query) => `No airport found for “${query}”`, count: { one: "# airport", other: "# airports" }, none: "No airports",
chosen: (name) => `${name} chosen`, required: "Choose an airport.", unfinished: "Choose an airport from the list.",
offline: "The server cannot be reached. Only popular airports are found.",
},
de: {
label: "Flughafen", placeholder: "Stadt, Flughafen oder Code", clear: "Löschen", results: "Flughäfen", searching: "Suche läuft …",
nothing: (query) => `Kein Flughafen gefunden für „${query}“`, count: { one: "# Flughafen", other: "# Flughäfen" }, none: "Keine Flughäfen",
chosen: (name) => `${name} gewählt`, required: "Wählen Sie einen Flughafen.", unfinished: "Wählen Sie einen Flughafen aus der Liste.",
offline: "Der Server ist nicht erreichbar. Nur häufig genutzte Flughäfen werden gefunden.",
},
fr: {
label: "Aéroport", placeholder: "Ville, aéroport ou code", clear: "Effacer", results: "Aéroports", searching: "Recherche en cours…",
nothing: (query) => `Aucun aéroport trouvé pour « ${query} »`, count: { one: "# aéroport", other: "# aéroports" }, none: "Aucun aéroport",
chosen: (name) => `${name} sélectionné`, required: "Choisissez un aéroport.", unfinished: "Choisissez un aéroport dans la liste.",
offline: "Le serveur est injoignable. Seuls les aéroports les plus fréquentés sont proposés.",
},
es: {
label: "Aeropuerto", placeholder: "Ciudad, aeropuerto o código", clear: "Borrar", results: "Aeropuertos", searching: "Buscando…",
nothing: (query) => `No se encontró ningún aeropuerto para «${query}»`, count: { one: "# aeropuerto", other: "# aeropuertos" },
none: "Ningún aeropuerto", chosen: (name) => `${name} seleccionado`, required: "Elija un aeropuerto.",
unfinished: "Elija un aeropuerto de la lista.", offline: "No se puede acceder al servidor. Solo se encuentran los aeropuertos más usados.",
},
it: {
label: "Aeroporto", placeholder: "Città, aeroporto o codice", clear: "Cancella", results: "Aeroporti", searching: "Ricerca in corso…",
nothing: (query) => `Nessun aeroporto trovato per «${query}»`, count: { one: "# aeroporto", other: "# aeroporti" }, none: "Nessun aeroporto",
chosen: (name) => `${name} selezionato`, required: "Scegliere un aeroporto.", unfinished: "Scegliere un aeroporto dall'elenco.",
offline: "Il server non è raggiungibile. Si trovano solo gli aeroporti più usati.",
},
pt: {
label: "Aeroporto", placeholder: "Cidade, aeroporto ou código", clear: "Limpar", results: "Aeroportos", searching: "A procurar…",
nothing: (query) => `Nenhum aeroporto encontrado para “${query}”`, count: { one: "# aeroporto", other: "# aeroportos" },
none: "Nenhum aeroporto", chosen: (name) => `${name} selecionado`, required: "Escolha um aeroporto.",
unfinished: "Escolha um aeroporto da lista.", offline: "O servidor não está acessível. Só se encontram os aeroportos mais usados.",
},
pl: {
label: "Lotnisko", placeholder: "Miasto, lotnisko lub kod", clear: "Wyczyść", results: "Lotniska", searching: "Szukanie…",
nothing: (query) => `Nie znaleziono lotniska dla „${query}”`,
count: { one: "# lotnisko", few: "# lotniska", many: "# lotnisk", other: "# lotniska" }, none: "Brak lotnisk",
chosen: (name) => `Wybrano: ${name}`, required: "Wybierz lotnisko.", unfinished: "Wybierz lotnisko z listy.",
offline: "Serwer jest niedostępny. Wyszukiwane są tylko najczęściej używane lotniska.",
},
ru: {
label: "Аэропорт", placeholder: "Город, аэропорт или код", clear: "Очистить", results: "Аэропорты", searching: "Поиск…",
nothing: (query) => `По запросу «${query}» аэропорт не найден`,
count: { one: "# аэропорт", few: "# аэропорта", many: "# аэропортов", other: "# аэропорта" }, none: "Нет аэропортов",
chosen: (name) => `Выбрано: ${name}`, required: "Выберите аэропорт.", unfinished: "Выберите аэропорт из списка.",
offline: "Сервер недоступен. Ищутся только популярные аэропорты.",
},
tr: {
label: "Havalimanı", placeholder: "Şehir, havalimanı veya kod", clear: "Temizle", results: "Havalimanları", searching: "Aranıyor…",
nothing: (query) => `“${query}” için havalimanı bulunamadı`, count: { one: "# havalimanı", other: "# havalimanı" },
none: "Havalimanı yok", chosen: (name) => `${name} seçildi`, required: "Bir havalimanı seçin.",
unfinished: "Listeden bir havalimanı seçin.", offline: "Sunucuya ulaşılamıyor. Yalnızca popüler havalimanları bulunur.",
},
};

function wordsOf(language) {
const known = Object.hasOwn(languages, language.slice(0, 2).toLowerCase()) ? language.slice(0, 2).toLowerCase() : "en";
const words = languages[known];
const rules = new Intl.PluralRules(known);
const number = new Intl.NumberFormat(known);
return {
...words, language: known,
count: (count) => (count === 0 ? words.none : (words.count[rules.select(count)] ?? words.count.other).replace("#", number.format(count))),
};
}
return { wordsOf };
})();
const m8 = (() => {
const { combobox } = m2;
const { element } = m0;
const { marked } = m3;
const { previewAirports } = m4;
const { airportRow, withCities } = m5;
const { styles } = m6;
const { wordsOf } = m7;
const source = document.currentScript?.src ?? location.href;
const cacheName = "switchboard-airports";
const limit = 10;

const lists = new Map();

function list(address) {
if (!lists.has(address)) {
lists.set(address, load(address).catch((error) => {
lists.delete(address);
throw error;
}));
}
return lists.get(address);
}

async function load(address) {
const cache = await globalThis.caches?.open(cacheName).catch(() => null);
const current = ask(address, { priority: "low" }).then(async (answer) => {
await cache?.put(address, answer.clone()).catch(() => {});
return answer.json();
});
const stored = await cache?.match(address);
if (!stored) return (await current).airports;
current.catch(() => {});
return (await stored.json()).airports;
}

async function ask(address, options) {
const answer = await fetch(address, { credentials: "omit", ...options });
if (!answer.ok) throw new Error(`the airport server responded with status ${answer.status}`);
return answer;
}

class AirportPicker extends HTMLElement {
static formAssociated = true;
static observedAttributes = ["value", "required", "placeholder", "label", "server", "lang"];

#internals = this.attachInternals();
#root = this.attachShadow({ mode: "open", delegatesFocus: true });
#words = wordsOf("en");
#field = null;
#known = [];
#chosen = null;
#code = "";

connectedCallback() {
this.#build();
}

attributeChangedCallback(name) {
if (name === "value") this.value = this.getAttribute("value") ?? "";
else if (name === "required") this.#validate();
else if (this.isConnected) this.#build();
}


get form() { return this.#internals.form; }
get name() { return this.getAttribute("name"); }
set name(text) { this.setAttribute("name", text); }
get type() { return this.localName; }
get required() { return this.hasAttribute("required"); }
set required(isRequired) { this.toggleAttribute("required", isRequired); }
get disabled() { return this.hasAttribute("disabled"); }
set disabled(isDisabled) { this.toggleAttribute("disabled", isDisabled); }
get labels() { return this.#internals.labels; }
get validity() { return this.#internals.validity; }
get validationMessage() { return this.#internals.validationMessage; }
get willValidate() { return this.#internals.willValidate; }
checkValidity() { return this.#internals.checkValidity(); }
reportValidity() { return this.#internals.reportValidity(); }

get value() { return this.#chosen?.code ?? this.#code; }
set value(code) { this.#take(String(code ?? "").trim().toUpperCase()); }

get airport() { return this.#chosen; }

formResetCallback() { this.value = this.getAttribute("value") ?? ""; }
formStateRestoreCallback(code) { this.value = code; }
formDisabledCallback(isDisabled) {
if (this.#field) this.#field.input.disabled = isDisabled;
}


get #language() {
return this.closest("[lang]")?.lang || navigator.language || "en";
}

#address(path, parameters = {}) {
const address = new URL(path, new URL(this.getAttribute("server") ?? source, document.baseURI));
for (const [name, value] of Object.entries({ ...parameters, language: this.#language })) address.searchParams.set(name, value);
return address.href;
}

#build() {
const words = wordsOf(this.#language);
this.#words = words;
const status = element("p", { class: "status", role: "status" });
const announce = (text) => {
status.textContent = text;
status.classList.remove("note");
};
this.#field = combobox({
words, announce, clearError() {},
fail: () => {
announce(words.offline);
status.classList.toggle("note", !this.#field.isOpen);
},
label: this.getAttribute("label") ?? words.label, placeholder: this.getAttribute("placeholder") ?? words.placeholder,
search: async (query, signal) => {
const answer = await (await ask(this.#address("/v1/airports", { q: query, limit }), { signal })).json();
return { ...answer, results: withCities(answer.results) };
},
preview: (query) => previewAirports(this.#known, query, limit).map((airport) => airportRow(airport, words.language)),
option: (result) => this.#option(result),
choose: (result) => {
this.#choose(result.airport, result.title);
announce(words.chosen(result.title));
},
});
const { input } = this.#field;
input.part.add("field");
input.disabled = this.matches(":disabled");
this.#field.element.querySelector(".options").part.add("list");
this.#field.element.querySelector(".search-clear").addEventListener("click", () => this.#choose(null));
this.#field.element.addEventListener("mousedown", (event) => { if (event.target !== input) event.preventDefault(); });
input.addEventListener("input", () => this.#validate());
input.addEventListener("focus", () => {
this.#setLabel();
this.#download();
input.select();
});
input.addEventListener("blur", () => this.#leave());
this.#root.adoptedStyleSheets = [sheet];
this.#root.replaceChildren(this.#field.element, status);
this.#setLabel();
this.#download();
if (this.#chosen) this.#field.settle(this.#text(this.#chosen));
else if (this.#code !== "") this.#take(this.#code);
this.#validate();
}

#option(result) {
if (result.isNested) return [element("span", { class: "code nested" }, result.id), element("span", { class: "title", dir: "auto" }, result.title)];
return [
element("span", { class: "code" }, marked(result.airport?.code ?? result.id, result.highlights?.code)),
element("span", {},
element("span", { class: "title", dir: "auto" }, marked(result.title, result.highlights?.title)),
element("span", { class: "subtitle", dir: "auto" }, marked(result.subtitle, result.highlights?.subtitle))),
];
}

#setLabel() {
const labels = [...this.#internals.labels].map((label) => label.textContent.trim()).filter(Boolean);
this.#field.input.setAttribute("aria-label", this.getAttribute("label") ?? (labels.join(" ") || this.#words.label));
}

async #download() {
try {
this.#known = await list(this.#address("/v1/airports/list"));
} catch {
}
}


#text(airport) {
return airport.name === airport.code ? airport.code : `${airport.code} · ${airport.name}`;
}

async #take(code) {
this.#chosen = null;
this.#code = code;
this.#field?.settle(code);
this.#validate();
if (code === "" || !this.isConnected) return;
await this.#download();
let airport = this.#known.find((one) => one.code === code);
if (!airport) {
try {
const row = await (await ask(this.#address(`/v1/airports/${encodeURIComponent(code)}`))).json();
airport = { ...row.airport, name: row.title };
} catch {
airport = null;
}
}
if (this.#code !== code || airport === null) return;
this.#set(airport);
}

#set(airport) {
const known = this.#known.find((one) => one.code === airport?.code) ?? airport;
this.#chosen = airport && {
code: airport.code, name: airport.name, city: known.city, country: airport.country, isCity: airport.isCity ?? false,
latitude: airport.latitude, longitude: airport.longitude, timeZone: airport.timeZone,
};
this.#code = airport?.code ?? "";
this.#field?.settle(airport ? this.#text(airport) : "");
this.#validate();
}

#choose(airport, name) {
const isNew = (airport?.code ?? "") !== this.value;
this.#set(airport && { ...airport, name: name ?? airport.name });
if (!isNew) return;
this.dispatchEvent(new CustomEvent("switchboard-airport", { detail: this.#chosen, bubbles: true, composed: true }));
this.dispatchEvent(new Event("change", { bubbles: true }));
}

#leave() {
if (this.#field.input.value.trim() === "") this.#choose(null);
else if (this.#chosen) this.#field.settle(this.#text(this.#chosen));
else this.#field.close();
this.#validate();
this.#field.input.ariaInvalid = String(this.validity.badInput);
}

#validate() {
const code = this.value;
this.#internals.setFormValue(code === "" ? null : code);
const input = this.#field?.input;
if (!input) return;
input.ariaRequired = String(this.required);
const isUnfinished = code === "" && input.value.trim() !== "";
if (isUnfinished) this.#internals.setValidity({ badInput: true }, this.#words.unfinished, input);
else if (code === "" && this.required) this.#internals.setValidity({ valueMissing: true }, this.#words.required, input);
else this.#internals.setValidity({});
}
}

const sheet = new CSSStyleSheet();
sheet.replaceSync(styles);
if (!customElements.get("switchboard-airports")) customElements.define("switchboard-airports", AirportPicker);
return {  };
})();
})();
