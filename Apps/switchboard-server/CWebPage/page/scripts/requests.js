// Asking the server. Every answer is JSON or nothing; every error becomes one with a line for a person.

import { ServerFailure } from "./failures.js";
import { texts } from "./texts.js";

let whenSignedOut = () => {};

/** Says what happens when the server no longer knows who is asking. */
export function onSignedOut(listener) {
    whenSignedOut = listener;
}

/**
 * Sends a request and gives what was answered, or null.
 * Options: `json` or `body` with `type`, `signal`, `headers`, `keepalive`, and `isProbe` for a request that may well find nobody signed in.
 */
export async function request(method, path, options = {}) {
    const headers = { Accept: "application/json", ...options.headers };
    let body = options.body;
    if (options.json !== undefined) {
        body = JSON.stringify(options.json);
        headers["Content-Type"] = "application/json";
    } else if (options.type) {
        headers["Content-Type"] = options.type;
    }
    let answer;
    try {
        answer = await fetch(path, {
            method, headers, body, signal: options.signal, keepalive: options.keepalive ?? false,
            credentials: "same-origin", redirect: "error",
        });
    } catch (error) {
        if (error.name === "AbortError") throw error;
        throw new ServerFailure(0, "unreachable", texts.errors.unreachable);
    }
    if (!answer.ok) throw await failure(answer, options.isProbe ?? false);
    if (answer.status === 204) return null;
    try {
        return await answer.json();
    } catch (error) {
        if (error.name === "AbortError") throw error;
        throw new ServerFailure(answer.status, "unreadable", texts.errors.unreadable);
    }
}

async function failure(answer, isProbe) {
    let problem = {};
    try {
        problem = await answer.json();
    } catch {
        // An error without a body in JSON: a proxy's, perhaps. The status has to do.
    }
    if (answer.status === 401 && !isProbe) whenSignedOut();
    const said = typeof problem.detail === "string" && problem.detail !== "" ? sentence(problem.detail) : null;
    const message = said ?? texts.errors.byStatus[answer.status] ?? texts.errors.status(answer.status);
    return new ServerFailure(answer.status, problem.code ?? "", message, problem);
}

/** The server says things in lower case, as a command line does. */
function sentence(text) {
    return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}

export const get = (path, options) => request("GET", path, options);
export const post = (path, options) => request("POST", path, options);
export const put = (path, options) => request("PUT", path, options);
export const patch = (path, options) => request("PATCH", path, options);
export const remove = (path, options) => request("DELETE", path, options);

/** A path of the parts given, each escaped, and of what is asked for; parameters that are empty are left out. */
export function path(parts, parameters = {}) {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(parameters)) {
        if (value !== undefined && value !== null && value !== "") query.set(name, String(value));
    }
    const base = "/v1/" + parts.map(encodeURIComponent).join("/");
    return query.size > 0 ? `${base}?${query}` : base;
}
