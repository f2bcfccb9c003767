// Modules that few visits need, each a script of its own.

import { UserError } from "./errors.js";
import { texts } from "./texts.js";

/** Returns a module that is being imported. */
export async function later(module) {
    try {
        return await module;
    } catch {
        // The server cannot be reached, or has another version of the page.
        throw new UserError(texts.errors.unloaded);
    }
}
