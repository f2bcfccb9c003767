// Lists by keyboard: Down and Up walk the rows, Home and End go to the first and last, Up from the first goes back to the search field.

const rowSelector = "a.row, button.row";

/** Makes the rows of a list walkable. `above()` gives what is focused above the first row. */
export function walkRows(list, above = () => null) {
    list.addEventListener("keydown", (event) => {
        const rows = [...list.querySelectorAll(rowSelector)].filter((row) => row.offsetParent !== null);
        const here = rows.indexOf(event.target.closest?.(rowSelector));
        if (here < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
        const target = { ArrowDown: rows[here + 1], ArrowUp: here === 0 ? above() : rows[here - 1], Home: rows[0], End: rows.at(-1) }[event.key];
        if (!target) return;
        event.preventDefault();
        target.focus();
    });
}

/** The first row below a field. */
export function firstRow(list) {
    return [...list.querySelectorAll(rowSelector)].find((row) => row.offsetParent !== null) ?? null;
}
