// A world map of the popular airports as dots, between coastlines. Search results are marked and zoomed to. For screen readers it is an image, because
// the list next to it has the same content.

import { element } from "./elements.js";
import { UserError } from "./errors.js";
import { fail } from "./messages.js";
import { project } from "./projection.js";
import { get } from "./requests.js";
import { texts } from "./texts.js";

/** The whole projected world with a margin. The style sheet has its ratio. */
const world = { left: -2.76, right: 2.76, bottom: -1.36, top: 1.36 };
const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/**
 * Decodes lines: their numbers of points, and the differences of the coordinates in tenths of a degree. A number is a sequence of
 * digits of 5 bits, the lowest ones first, whose sixth bit says that another follows; its lowest bit is the sign.
 */
function decoded(text) {
    let place = 0;
    const number = () => {
        let [value, shift, digit] = [0, 0, 32];
        for (; digit >= 32; shift += 5) {
            digit = digits.indexOf(text[place]);
            place += 1;
            value |= (digit & 31) << shift;
        }
        return value & 1 ? -(value + 1) / 2 : value / 2;
    };
    const lines = [];
    while (place < text.length) {
        const count = number();
        const line = { points: new Float32Array(2 * count), left: Infinity, right: -Infinity, bottom: Infinity, top: -Infinity };
        let [longitude, latitude] = [0, 0];
        for (let index = 0; index < count; index += 1) {
            longitude += number();
            latitude += number();
            const [x, y] = project(latitude / 10, longitude / 10);
            line.points.set([x, y], 2 * index);
            line.left = Math.min(line.left, x);
            line.right = Math.max(line.right, x);
            line.bottom = Math.min(line.bottom, y);
            line.top = Math.max(line.top, y);
        }
        lines.push(line);
    }
    return lines;
}

/** Creates a map. `choose(code)` is called when an airport is tapped. */
export function airportMap({ choose }) {
    const canvas = element("canvas", { class: "map", role: "img", "aria-label": texts.airports.mapLabel(0) });
    const tip = element("span", { class: "map-tip", hidden: true, "aria-hidden": "true" });
    const whole = element("div", { class: "map-box" }, canvas, tip);
    let snapshot = [];
    let dots = [];
    let coasts = [];
    let marked = [];
    let view = { ...world };
    let moving = 0;
    let loading = null;

    /** Loads the airports once, and the coastlines, without which the map is still of use. */
    function load() {
        if (loading === null && coasts.length === 0) {
            import("./coastlines.js").then(({ coastlines }) => {
                coasts = decoded(coastlines);
                draw();
            }, () => {});
        }
        loading ??= get("/v1/airports/list?language=en").then(({ airports }) => {
            snapshot = airports;
            dots = airports.map((airport, rank) => dot(airport, rank));
            draw();
        }).catch((error) => {
            loading = null;
            fail(error.status === 0 ? error : new UserError(texts.airports.mapFailed, { cause: error }));
        });
        return loading;
    }

    function dot(airport, rank) {
        const [x, y] = project(airport.latitude, airport.longitude);
        return { code: airport.code, name: airport.name, x, y, popularity: airport.popularity ?? 0, rank };
    }

    /** Marks airports of search results, best first. */
    function mark(airports) {
        marked = airports.filter((airport) => Number.isFinite(airport.latitude) && Number.isFinite(airport.longitude))
            .slice(0, 30).map((airport, rank) => dot(airport, rank));
        canvas.setAttribute("aria-label", texts.airports.mapLabel(marked.length));
        moveTo(marked.length > 0 ? around(marked) : world);
    }

    /** Returns the section of the map around some points, with a minimum size. */
    function around(points) {
        const xs = points.map((point) => point.x);
        const ys = points.map((point) => point.y);
        const ratio = (world.right - world.left) / (world.top - world.bottom);
        const height = Math.max(0.6, 1.6 * (Math.max(...ys) - Math.min(...ys)), 1.6 * (Math.max(...xs) - Math.min(...xs)) / ratio);
        if (height >= world.top - world.bottom) return world;
        const x = (Math.max(...xs) + Math.min(...xs)) / 2;
        const y = (Math.max(...ys) + Math.min(...ys)) / 2;
        return { left: x - height * ratio / 2, right: x + height * ratio / 2, bottom: y - height / 2, top: y + height / 2 };
    }

    function moveTo(target) {
        const from = { ...view };
        const began = performance.now();
        const length = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 450;
        cancelAnimationFrame(moving);
        const step = (now) => {
            const part = length === 0 ? 1 : Math.min(1, Math.max(0, (now - began) / length));
            const eased = 1 - (1 - part) ** 3;
            for (const side of Object.keys(view)) view[side] = from[side] + (target[side] - from[side]) * eased;
            draw();
            if (part < 1) moving = requestAnimationFrame(step);
        };
        moving = requestAnimationFrame(step);
    }

    const place = ({ x, y }, width, height) => [
        (x - view.left) / (view.right - view.left) * width, (view.top - y) / (view.top - view.bottom) * height,
    ];

    function draw() {
        const box = canvas.getBoundingClientRect();
        if (box.width === 0) return;
        const scale = devicePixelRatio || 1;
        const [width, height] = [box.width, box.height];
        if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
            canvas.width = Math.round(width * scale);
            canvas.height = Math.round(height * scale);
        }
        const pen = canvas.getContext("2d");
        const colour = (name) => getComputedStyle(canvas).getPropertyValue(name).trim();
        const [land, coast, accent, ink, paper] = ["--map-dot", "--map-coast", "--accent", "--ink", "--surface"].map(colour);
        pen.setTransform(scale, 0, 0, scale, 0, 0);
        pen.clearRect(0, 0, width, height);
        const zoom = Math.min(2.4, Math.sqrt((world.right - world.left) / (view.right - view.left)));
        const size = width / 560;
        outline(pen, width, height, coast);
        pen.fillStyle = land;
        for (const point of dots) {
            const [x, y] = place(point, width, height);
            if (x < -9 || y < -9 || x > width + 9 || y > height + 9) continue;
            pen.globalAlpha = marked.length > 0 ? 0.5 : 0.55 + 0.45 * point.popularity;
            pen.beginPath();
            pen.arc(x, y, Math.max(0.8, (0.7 + 2.1 * point.popularity ** 6) * size * zoom), 0, 2 * Math.PI);
            pen.fill();
        }
        pen.globalAlpha = 1;
        label(pen, width, height, { accent, ink, paper });
    }

    /** Draws the coastlines in view. */
    function outline(pen, width, height, colour) {
        const [across, down] = [width / (view.right - view.left), height / (view.top - view.bottom)];
        pen.beginPath();
        for (const { points, left, right, bottom, top } of coasts) {
            if (right < view.left || left > view.right || top < view.bottom || bottom > view.top) continue;
            pen.moveTo((points[0] - view.left) * across, (view.top - points[1]) * down);
            for (let place = 2; place < points.length; place += 2) {
                pen.lineTo((points[place] - view.left) * across, (view.top - points[place + 1]) * down);
            }
        }
        pen.lineWidth = 1;
        pen.lineJoin = "round";
        pen.strokeStyle = colour;
        pen.stroke();
    }

    /** Draws the marked airports, with their codes where there is room. */
    function label(pen, width, height, { accent, ink, paper }) {
        const taken = [];
        pen.font = "600 12px system-ui, sans-serif";
        pen.textBaseline = "middle";
        for (const point of [...marked].reverse()) {
            const [x, y] = place(point, width, height);
            pen.beginPath();
            pen.arc(x, y, point.rank === 0 ? 6.5 : 5, 0, 2 * Math.PI);
            pen.fillStyle = accent;
            pen.fill();
            pen.lineWidth = 2;
            pen.strokeStyle = paper;
            pen.stroke();
        }
        for (const point of marked) {
            const [x, y] = place(point, width, height);
            const wide = pen.measureText(point.code).width;
            const left = x + 10 + wide > width ? x - 10 - wide : x + 10;
            const area = [left - 2, y - 8, left + wide + 2, y + 8];
            if (taken.some((other) => area[0] < other[2] && other[0] < area[2] && area[1] < other[3] && other[1] < area[3])) continue;
            taken.push(area);
            pen.lineWidth = 4;
            pen.lineJoin = "round";
            pen.strokeStyle = paper;
            pen.strokeText(point.code, left, y);
            pen.fillStyle = ink;
            pen.fillText(point.code, left, y);
        }
    }

    /** Returns the airport closest to a pointer, or null. */
    function nearest(event) {
        const box = canvas.getBoundingClientRect();
        let best = null;
        let least = 16 * 16;
        for (const point of [...marked, ...dots]) {
            const [x, y] = place(point, box.width, box.height);
            const squared = (x - event.clientX + box.left) ** 2 + (y - event.clientY + box.top) ** 2;
            if (squared < least) [best, least] = [point, squared];
        }
        return best;
    }

    canvas.addEventListener("pointermove", (event) => {
        const point = event.pointerType === "mouse" ? nearest(event) : null;
        tip.hidden = point === null;
        canvas.classList.toggle("pointing", point !== null);
        if (point === null) return;
        const box = canvas.getBoundingClientRect();
        const [x, y] = place(point, box.width, box.height);
        tip.textContent = `${point.code} ${point.name}`;
        tip.style.left = `${Math.min(Math.max(x, 70), box.width - 70)}px`;
        tip.style.top = `${y}px`;
    });
    canvas.addEventListener("pointerleave", () => { tip.hidden = true; });
    canvas.addEventListener("click", (event) => {
        const point = nearest(event);
        if (point !== null) choose(point.code);
    });
    new ResizeObserver(draw).observe(canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);

    /** Returns the most popular airports. */
    const popular = (count) => load().then(() => snapshot.slice(0, count));

    /** Returns the airports that have been loaded, most popular first. */
    const known = () => snapshot;

    return { element: whole, load, mark, popular, known };
}
