// Requests to the server. Responses are JSON or empty; errors become `ServerError`.

import { ServerError } from "./errors.js";
import { note, reached, showOffline } from "./messages.js";
import { asksForPosition, notePosition } from "./positions.js";
import { hold, overlay } from "./queue.js";
import { texts } from "./texts.js";
import { moment } from "./times.js";

let whenSignedOut = () => {};
let whenReached = () => {};

/** Sets the handler for the first response after the server could not be reached. */
export function onReached(listener) {
    whenReached = listener;
}

/** Sets the handler for an expired or revoked session. */
export function onSignedOut(listener) {
    whenSignedOut = listener;
}

/**
 * Sends a request and returns the decoded response, or null if it is empty.
 * Options: `stored` for the last response that the service worker has kept, `json` or `body` with `type`, `signal`, `headers`, `keepalive`, `isProbe` if 401 is an expected response, and
 * `queued`, the name of a change to keep until the server can be reached; the response is then `{isQueued: true}`.
 */
export async function request(method, path, options = {}) {
    const headers = { Accept: "application/json", ...(options.stored ? { "X-Stored": "1" } : {}), ...options.headers };
    const asks = method === "GET" && !options.stored && asksForPosition();
    if (asks) headers.Prefer = "event-id";
    let body = options.body;
    if (options.json !== undefined) {
        body = JSON.stringify(options.json);
        headers["Content-Type"] = "application/json";
    } else if (options.type) {
        headers["Content-Type"] = options.type;
    }
    let answer;
    try {
        answer = await early(method, path, options) ?? await fetch(path, {
            method, headers, body, signal: options.signal, keepalive: options.keepalive ?? false,
            credentials: "same-origin", redirect: "error",
        });
    } catch (error) {
        if (error.name === "AbortError") throw error;
        wasReached = false;
        if (options.queued && hold({ what: options.queued, method, path, json: options.json, headers: options.headers ?? {} })) {
            note(texts.queue.kept);
            return { isQueued: true };
        }
        throw new ServerError(0, "unreachable", texts.errors.unreachable);
    }
    const storedAt = answer.headers.get("X-Stored-At");
    if (options.stored) {
        // This says nothing about the server.
        if (answer.status === 204) throw new ServerError(404, "notStored", texts.errors.unreachable);
    } else if (storedAt !== null) {
        wasReached = false;
        showOffline(texts.errors.stored(moment(storedAt)));
    } else {
        // Another response has the field of an earlier one if the browser's cache is still valid.
        const position = asks ? answer.headers.get("Event-ID") : null;
        if (position !== null) notePosition(position);
        reached();
        if (!wasReached) whenReached();
        wasReached = true;
    }
    if (!answer.ok) throw await failure(answer, options.isProbe ?? false);
    if (answer.status === 204) return null;
    try {
        const decoded = await answer.json();
        const tag = answer.headers.get("ETag");
        if (tag !== null) tags.set(decoded, tag);
        return method === "GET" ? overlay(decoded, path) : decoded;
    } catch (error) {
        if (error.name === "AbortError") throw error;
        throw new ServerError(answer.status, "unreadable", texts.errors.unreadable);
    }
}

globalThis.early ??= new Map();

/** Returns the response to a request that `early.js` has sent, once; null if there is none, or it is an error. */
async function early(method, path, options) {
    if (method !== "GET" || options.stored) return null;
    const sent = globalThis.early.get(path);
    globalThis.early.delete(path);
    const answer = await sent?.catch(() => null);
    return answer?.ok ? answer : null;
}

let wasReached = true;

/** The entity tags of decoded responses. */
const tags = new WeakMap();

/** Returns the entity tag of a decoded response, or undefined. */
export function tagOf(answer) {
    return tags.get(answer);
}

async function failure(answer, isProbe) {
    let problem = {};
    try {
        problem = await answer.json();
    } catch {
        // The error has no JSON body, for example because a proxy sent it.
    }
    if (answer.status === 401 && !isProbe) whenSignedOut();
    const said = typeof problem.detail === "string" && problem.detail !== "" ? sentence(problem.detail) : null;
    const message = said ?? texts.errors.byStatus[answer.status] ?? texts.errors.status(answer.status);
    problem.tag = answer.headers.get("ETag");
    return new ServerError(answer.status, problem.code ?? "", message, problem);
}

/** Capitalizes an error message of the server. */
function sentence(text) {
    return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}

export const get = (path, options) => request("GET", path, options);
export const post = (path, options) => request("POST", path, options);
export const put = (path, options) => request("PUT", path, options);
export const patch = (path, options) => request("PATCH", path, options);
export const remove = (path, options) => request("DELETE", path, options);

/** Returns the results of all pages of a list. */
export async function getAll(parts, parameters, options) {
    const results = [];
    let cursor = null;
    do {
        const answer = await get(path(parts, { ...parameters, limit: 100, cursor }), options);
        results.push(...answer.results);
        cursor = answer.nextCursor ?? null;
    } while (cursor !== null);
    return results;
}

/** Returns a path of escaped parts with a query string. Empty parameters are left out. */
export function path(parts, parameters = {}) {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(parameters)) {
        if (value !== undefined && value !== null && value !== "") query.set(name, String(value));
    }
    const base = "/v1/" + parts.map(encodeURIComponent).join("/");
    return query.size > 0 ? `${base}?${query}` : base;
}
