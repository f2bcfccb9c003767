// Searching without the server: the contacts and prospects that the service worker has kept. It is loaded when it is first needed.
//
// It finds the beginnings of words, digits of numbers and words on the keypad's Latin layout. Typos, initials, romanized names and the
// order of the server need its engine, so the number of results is announced with what was searched.

import "./main.js"; // for the bundle: what both share stays in the script of the page
import { overlay } from "./queue.js";

const collections = { contact: "/v1/contacts", prospect: "/v1/prospects" };
/** The maximum number of results, as of a search by the server. */
const maximumResults = 30;
/** Letters that do not decompose into a letter and a mark. */
const folded = { ß: "ss", ł: "l", ø: "o", đ: "d", æ: "ae", œ: "oe", ı: "i", þ: "th", ð: "d", ħ: "h", ŋ: "n" };
const keys = "22233344455566677778889999";

/** Returns a text without case and marks, scalar by scalar. */
const foldedScalars = (text) => Array.from(text).map((scalar) => Array.from(scalar.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase())
    .map((letter) => folded[letter] ?? letter).join(""));
const fold = (text) => foldedScalars(text).join("");
const digitsOf = (text) => text.replace(/\D/g, "");
const onKeypad = (text) => text.replace(/[a-z]/g, (letter) => keys[letter.charCodeAt(0) - 97]);

/** Returns the words of a text: `{word, start, length}` in scalars. */
function wordsOf(text) {
    const words = [];
    let word = null;
    foldedScalars(text).forEach((letters, index) => {
        if (!/[\p{L}\p{N}]/u.test(letters)) {
            // A mark of its own belongs to the letter before it.
            if (letters !== "") word = null;
            return;
        }
        if (word === null) words.push(word = { word: "", start: index, ends: [] });
        word.word += letters;
        for (const _ of letters) word.ends.push(index + 1);
    });
    return words;
}

/** Returns the kept rows of kinds, by their identifier, and how many the server has. */
async function keptRows(kinds) {
    const rows = new Map();
    const totals = new Map();
    const cache = await caches.open("data");
    for (const request of await cache.keys()) {
        const { pathname, search, searchParams } = new URL(request.url);
        const kind = kinds.find((one) => collections[one] === pathname);
        if (kind === undefined) continue;
        const answer = overlay(await (await cache.match(request)).json(), pathname + search);
        // The last response is the newest.
        for (const row of answer.results ?? []) rows.set(row.id, row);
        const isWhole = !searchParams.has("group") && !searchParams.has("favourite") && (searchParams.get("filter") ?? "everyone") === "everyone";
        if (isWhole) totals.set(kind, answer.total ?? 0);
    }
    return { rows: [...rows.values()], total: [...totals.values()].reduce((sum, one) => sum + one, 0) };
}

/** Returns how well a row matches the words of a query, the least being the best, and the highlights of its title; or null. */
function match(row, query) {
    const person = row[row.kind] ?? {};
    const title = row.title ?? "";
    const names = wordsOf(title);
    const others = wordsOf([
        person.nickname, person.organization, person.met, person.email, ...(person.emails ?? []).map(({ address }) => address), ...person.groups ?? [],
    ].filter(Boolean).join(" "));
    const numbers = [person.phone, ...(person.phones ?? []).flatMap(({ number, e164 }) => [number, e164])].filter(Boolean).map(digitsOf);
    const digits = digitsOf(query);
    const isNumber = digits !== "" && /^[+\d\s()./-]+$/.test(query);
    const highlights = [];
    let rank = 0;
    for (const wanted of isNumber ? [digits] : wordsOf(query).map(({ word }) => word)) {
        const inName = names.find(({ word }) => (isNumber ? onKeypad(word) : word).startsWith(wanted));
        if (inName) {
            highlights.push([inName.start, inName.ends[wanted.length - 1] - inName.start]);
            rank += inName === names[0] ? 0 : 1;
        } else if (isNumber ? wanted.length > 1 && numbers.some((number) => number.includes(wanted)) : others.some(({ word }) => word.startsWith(wanted))) {
            rank += 2;
        } else {
            return null;
        }
    }
    highlights.sort(([one], [other]) => one - other);
    return { rank, row: { ...row, match: "prefix", highlights: highlights.length > 0 ? { title: highlights } : {} } };
}

/** Searches the kept rows of kinds, such as "contact prospect". Throws the error of the server's search if none are kept. */
export async function searchKept(kinds, query, error) {
    if (!globalThis.caches) throw error;
    const { rows, total } = await keptRows(kinds.split(" "));
    if (rows.length === 0 || fold(query).trim() === "") throw error;
    const found = rows.map((row) => match(row, query)).filter(Boolean)
        .sort((one, other) => one.rank - other.rank || one.row.title.localeCompare(other.row.title));
    return { results: found.slice(0, maximumResults).map(({ row }) => row), final: true, kept: { count: rows.length, total: Math.max(total, rows.length) } };
}
