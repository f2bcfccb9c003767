// Keeps only the latest of several requests: older ones are aborted and their responses dropped.

/** Returns a function that runs tasks `(signal) => promise`. Each aborts the previous one, which then resolves to null. */
export function latestOnly() {
    let current = null;
    async function run(task) {
        current?.abort();
        const mine = new AbortController();
        current = mine;
        try {
            const answer = await task(mine.signal);
            return current === mine ? answer : null;
        } catch (error) {
            if (current !== mine || error.name === "AbortError") return null;
            throw error;
        }
    }
    run.stop = () => {
        current?.abort();
        current = null;
    };
    return run;
}
