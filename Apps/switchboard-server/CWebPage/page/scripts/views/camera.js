// The camera: sends frames to the server until a badge is read. Browsers that can detect codes send only frames with a code.

import "../main.js"; // for the bundle: what both share stays in the script of the page
import { openDialog } from "../dialogs.js";
import { element, fill } from "../elements.js";
import { fileButton } from "../forms.js";
import { icon } from "../icons.js";
import { fail } from "../messages.js";
import { pictureTypes } from "../pictures.js";
import { texts } from "../texts.js";
import { readPicture, scanPictures } from "./scanning.js";

/** The intervals between frames in milliseconds: read by the server, or by the browser itself. */
const serverPace = 700;
const browserPace = 150;
/** The maximum side of a sent frame in pixels, enough for a badge at arm's length. */
const longestSide = 1280;

/** Opens the camera dialog. Calls `added` after each badge. */
export function openCamera(added) {
    const stopping = new AbortController();
    let stream = null;
    const video = element("video", { playsinline: true, muted: true, "aria-label": texts.scan.videoLabel });
    video.muted = true;
    const line = element("p", { class: "scan-line", "aria-live": "polite" }, texts.scan.starting);
    const result = element("div", { class: "scan-result", hidden: true });
    const stage = element("div", { class: "stage" }, video, element("span", { class: "viewfinder", "aria-hidden": "true" }));

    async function run(close) {
        try {
            stream = await cameraStream();
        } catch (error) {
            line.textContent = reason(error);
            stage.hidden = true;
            fill(result, pictureButton(close));
            result.hidden = false;
            return;
        }
        if (stopping.signal.aborted) {
            end();
            return;
        }
        video.srcObject = stream;
        await video.play();
        look(close);
    }

    function pictureButton(close) {
        return fileButton(texts.prospects.picture, [icon("picture"), texts.prospects.picture], {
            accept: pictureTypes, capture: "environment", chosen: async (files) => {
                const report = await scanPictures(files);
                added();
                if (report.results.length > 0) close();
            },
        });
    }

    /** Reads frames until a badge is found. */
    async function look(close) {
        result.hidden = true;
        line.textContent = texts.scan.looking;
        const sees = await codeDetector();
        while (!stopping.signal.aborted) {
            const began = performance.now();
            try {
                const report = await readFrame(sees);
                if (report !== null && show(report, close)) return;
            } catch (error) {
                if (error.name === "AbortError") return;
                line.textContent = error.message;
            }
            await pause((sees ? browserPace : serverPace) - (performance.now() - began));
        }
    }

    async function readFrame(sees) {
        if (video.videoWidth === 0) return null;
        if (sees && !(await sees(video))) return null;
        const picture = await frameOf(video);
        return picture === null ? null : readPicture(picture, stopping.signal);
    }

    /** Shows a report. Returns whether a badge was read. */
    function show(report, close) {
        if (report.results.length === 0) {
            const other = report.skipped?.find((skip) => skip.text);
            line.textContent = other ? texts.scan.noBadge(other.reason) : texts.scan.looking;
            return false;
        }
        const names = report.results.map((row) => row.title).join(", ");
        line.textContent = report.added > 0 ? texts.scan.added(names) : texts.scan.known(names);
        navigator.vibrate?.(60);
        const again = element("button", { type: "button", class: "primary", onclick: () => look(close).catch(fail) }, texts.scan.another);
        fill(result, icon("tick"),
            report.results.map((row) => element("p", {}, element("b", { dir: "auto" }, row.title), " ", element("span", { class: "muted", dir: "auto" }, row.subtitle))),
            element("div", { class: "actions" }, again, element("button", { type: "button", onclick: () => close(true) }, texts.scan.done)));
        result.hidden = false;
        again.focus();
        added();
        return true;
    }

    function end() {
        stopping.abort();
        for (const track of stream?.getTracks() ?? []) track.stop();
        video.srcObject = null;
    }

    return openDialog(texts.scan.title, (close) => {
        run(close).catch(fail);
        return [stage, line, result];
    }, { class: "camera", closed: end });
}

/** Returns the stream of the rear camera. */
function cameraStream() {
    if (!navigator.mediaDevices?.getUserMedia) return Promise.reject(new DOMException("", "NotSupportedError"));
    return navigator.mediaDevices.getUserMedia({ audio: false, video: { facingMode: "environment", width: { ideal: 1280 }, height: { ideal: 720 } } });
}

function reason(error) {
    if (error.name === "NotAllowedError") return texts.scan.refused;
    if (error.name === "NotFoundError" || error.name === "NotReadableError") return texts.scan.missing;
    return texts.scan.noCamera;
}

/** Returns a function that detects codes in a video, or null if unsupported. */
async function codeDetector() {
    if (!("BarcodeDetector" in globalThis)) return null;
    try {
        const formats = await BarcodeDetector.getSupportedFormats();
        if (!formats.includes("qr_code")) return null;
        const detector = new BarcodeDetector({ formats: ["qr_code"] });
        return async (video) => (await detector.detect(video)).length > 0;
    } catch {
        return null;
    }
}

/** Returns the current frame of a video as a JPEG. */
function frameOf(video) {
    const scale = Math.min(1, longestSide / Math.max(video.videoWidth, video.videoHeight));
    const canvas = element("canvas");
    canvas.width = Math.round(video.videoWidth * scale);
    canvas.height = Math.round(video.videoHeight * scale);
    canvas.getContext("2d").drawImage(video, 0, 0, canvas.width, canvas.height);
    return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.85));
}

function pause(milliseconds) {
    return new Promise((resolve) => setTimeout(resolve, Math.max(0, milliseconds)));
}
