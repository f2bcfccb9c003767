// The newest question alone counts: an older one is aborted, and should its answer come all the same, it is dropped.

/** Something that runs tasks `(signal) => promise`, each of which ends the one before it. It gives null for one that was overtaken. */
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
