// Changes of one or several objects at once.

import { fail } from "./messages.js";

/** The number of requests of a change that are under way at a time. */
const together = 20;

/**
 * Changes each object with a request. Returns those that were changed; the first error is reported, and thrown if none were.
 */
export async function changeEach(objects, change) {
    const changed = [];
    let failure = null;
    for (let start = 0; start < objects.length; start += together) {
        const some = objects.slice(start, start + together);
        const ended = await Promise.allSettled(some.map(change));
        ended.forEach(({ status, reason }, index) => {
            if (status === "fulfilled") changed.push(some[index]);
            else failure ??= reason;
        });
    }
    if (failure !== null && changed.length === 0) throw failure;
    if (failure !== null) fail(failure);
    return changed;
}

/** Saves rows of texts as a CSV file (RFC 4180). A text that a spreadsheet would take for a formula is quoted by an apostrophe. */
export function saveTable(name, rows) {
    const cell = (value) => {
        const text = String(value ?? "");
        // A telephone number begins like a formula, but is none.
        const safe = /^[=@\t\r]|^[-+](?![\d\s()./-]*$)/.test(text) ? `'${text}` : text;
        return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
    };
    const content = rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([content], { type: "text/csv;charset=utf-8" }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
