// Reading badges in pictures, which the server does for both camera and files.

import { openDialog } from "../dialogs.js";
import { element } from "../elements.js";
import { announce, note } from "../messages.js";
import { picture } from "../pictures.js";
import { path, post } from "../requests.js";
import { texts } from "../texts.js";

/** The pictures that the server reads. */
const readable = ["image/jpeg", "image/png", "image/gif", "image/webp", "image/heic"];

/** Returns the report for a picture: `{added, merged, results, skipped}`. A picture without a badge is not an error. */
export async function readPicture(image, signal) {
    try {
        return await post(path(["prospects", "scan"]), { body: image, type: image.type || "application/octet-stream", signal });
    } catch (error) {
        if (error.status === 422 || (error.status === 404 && error.code !== "")) {
            const { added = 0, merged = 0, results = [], skipped = [{ reason: error.message }] } = error.problem;
            return { added, merged, results, skipped };
        }
        throw error;
    }
}

/** Reads pictures one after the other and shows the results. */
export async function scanPictures(files) {
    const total = { added: 0, merged: 0, results: [], skipped: [] };
    announce(texts.scan.reading);
    for (const file of files) {
        // The server says what is wrong with a file that this browser cannot read either.
        const report = await readPicture(await picture(file, readable) ?? file);
        total.added += report.added;
        total.merged += report.merged;
        total.results.push(...report.results);
        total.skipped.push(...(report.skipped ?? []).map((skip) => ({ file: file.name, ...skip, name: file.name })));
    }
    announce("");
    if (total.results.length > 0) note(texts.scan.pictures(total));
    if (total.skipped.length > 0) {
        await openDialog(texts.contacts.leftOutTitle, () => element("ul", { class: "plain-list" },
            total.skipped.map((skip) => element("li", {}, element("b", {}, skip.name), " – ", skip.reason))));
    }
    return total;
}
