// Keyboard navigation in lists: Down, Up, Home and End. Up from the first row goes to the search field.

const rowSelector = "a.row, button.row";

/** Adds keyboard navigation to a list. `above()` returns the element above the first row. */
export function enableRowKeys(list, above = () => null) {
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

/** Returns the first visible row of a list. */
export function firstRow(list) {
    return [...list.querySelectorAll(rowSelector)].find((row) => row.offsetParent !== null) ?? null;
}
