// The search field of a view: a combobox with the texts and messages of the page, whose query is in the address.

import { combobox } from "./combobox.js";
import { announce, clearError, fail } from "./messages.js";
import { keepQuery, route } from "./routes.js";
import { texts } from "./texts.js";

/**
 * Creates a search field with the options of a combobox. `isInAddress(query)` returns false for queries that do not belong into the
 * address. Without the server, the rows of the kinds `offline` that this browser has kept are searched.
 */
export function searchField({ changed = () => {}, isInAddress = () => true, offline = null, search, ...options }) {
    const keep = () => keepQuery(isInAddress(made.query) ? made.query : "");
    const searchAnywhere = async (query, signal) => {
        try {
            return await search(query, signal);
        } catch (error) {
            if (error.status !== 0 || offline === null) throw error;
            const kept = await import("./offline-search.js").catch(() => null);
            if (kept === null) throw error;
            return kept.searchKept(offline, query, error);
        }
    };
    const made = combobox({
        words: texts.search, announce, fail, clearError, search: searchAnywhere, ...options,
        changed(query, isOpen) {
            // A late response must not change the address of another view.
            if (made.element.isConnected) keep();
            changed(query, isOpen);
        },
    });
    /** Searches for the query of the address, or adds the query of the field to an address of the whole view. */
    made.follow = () => {
        const { query, parts } = route();
        if (query !== null && query !== made.query) made.set(query);
        else if (query === null && parts.length === 0) keep();
    };
    return made;
}
