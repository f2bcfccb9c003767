// Starts the requests of the session and the first list while the rest of the page still loads: a bundle of its own, which arrives long before the
// others on a slow line. `requests.js` takes the responses.

/** The paths that a view requests first, exactly as it does. */
const firstPaths = {
    contacts: ["/v1/contacts?cursor=0&limit=100"],
    prospects: ["/v1/prospects?filter=everyone&sort=recent&cursor=0&limit=100", "/v1/reminders?state=pending&limit=100"],
};

// A session that has to end must not be used.
if (!globalThis.early && localStorage.getItem("ending") === null) {
    globalThis.early = new Map();
    for (const path of ["/v1/session", ...firstPaths[location.hash.slice(2)] ?? []]) {
        const answer = fetch(path, { headers: { Accept: "application/json", Prefer: "event-id" }, credentials: "same-origin", redirect: "error" });
        // The page requests it again if it fails.
        answer.catch(() => {});
        globalThis.early.set(path, answer);
    }
}
