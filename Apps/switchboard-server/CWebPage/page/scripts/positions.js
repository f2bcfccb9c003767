// The positions of responses in the stream of events. The first responses of a page come about while its stream begins, and a change in
// between must not be missed.

let seen = [];
let began = null;
let missed = () => {};

/** Starts with an empty page. Calls `whenMissed` if a response is not as new as the beginning of the stream. */
export function followPositions(whenMissed) {
    seen = [];
    began = null;
    missed = whenMissed;
}

/** Returns whether a request should ask for its position: only the first ones do. */
export const asksForPosition = () => seen.length === 0;

/** Notes the position of a response. */
export function notePosition(position) {
    seen.push(position);
    compare();
}

/** Notes the position at which a stream has begun. */
export function noteBeginning(position) {
    began = position;
    compare();
}

function compare() {
    if (began === null || seen.every((position) => position === began)) return;
    seen = [began];
    missed();
}
