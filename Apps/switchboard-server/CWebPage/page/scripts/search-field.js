// The search field of a view: a combobox with the texts and messages of the page.

import { combobox } from "./combobox.js";
import { announce, clearError, fail } from "./messages.js";
import { texts } from "./texts.js";

/** Creates a search field with the options of a combobox. */
export function searchField(options) {
    return combobox({ words: texts.search, announce, fail, clearError, ...options });
}
