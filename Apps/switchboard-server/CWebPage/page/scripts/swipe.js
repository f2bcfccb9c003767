// Swipe actions of rows: one to the right, one to the left. Vertical swipes scroll.

const enough = 88;

/** The rows that are being swiped, and the tasks that wait for them. */
const swiped = new Set();
const waiting = new Set();

/** Runs a task now, or after the current swipe. A task that waits runs once. */
export function afterSwipe(task) {
    if (swiped.size > 0) waiting.add(task);
    else task();
}

function finish(row) {
    swiped.delete(row);
    if (swiped.size > 0) return;
    const tasks = [...waiting];
    waiting.clear();
    for (const task of tasks) task();
}

/** Makes the child `moved` of a row swipeable. Every action is also available by button or key. */
export function swipeable(row, moved, { right, left }) {
    let start = null;
    let distance = 0;
    const move = (pixels) => {
        moved.style.transform = pixels === 0 ? "" : `translateX(${pixels}px)`;
        row.classList.toggle("swiped-right", pixels > 0);
        row.classList.toggle("swiped-left", pixels < 0);
        row.classList.toggle("swiped-enough", Math.abs(pixels) >= enough);
    };
    const end = (event) => {
        if (start === null || event.pointerId !== start.id) return;
        const done = event.type === "pointerup" && Math.abs(distance) >= enough;
        const wasRight = distance > 0;
        start = null;
        moved.classList.remove("moving");
        move(0);
        distance = 0;
        if (done) (wasRight ? right : left)();
        finish(row);
    };
    row.addEventListener("pointerdown", (event) => {
        if (event.pointerType === "mouse" || !event.isPrimary) return;
        start = { id: event.pointerId, x: event.clientX, y: event.clientY };
        swiped.add(row);
        distance = 0;
    });
    row.addEventListener("pointermove", (event) => {
        if (start === null || event.pointerId !== start.id) return;
        const sideways = event.clientX - start.x;
        if (distance === 0) {
            if (Math.abs(sideways) < 12 || Math.abs(sideways) < Math.abs(event.clientY - start.y)) return;
            row.setPointerCapture(event.pointerId);
            moved.classList.add("moving");
        }
        distance = Math.max(-140, Math.min(140, sideways));
        move(distance);
    });
    row.addEventListener("pointerup", end);
    row.addEventListener("pointercancel", end);
    // Ignore the click after a swipe.
    row.addEventListener("click", (event) => {
        if (!row.classList.contains("was-swiped")) return;
        event.preventDefault();
        event.stopPropagation();
    }, true);
    row.addEventListener("pointerup", () => {
        if (!moved.classList.contains("moving") && distance === 0) return;
        row.classList.add("was-swiped");
        setTimeout(() => row.classList.remove("was-swiped"), 50);
    }, true);
}
