// Pictures that a person chooses, in the formats of phones and cameras.

import { element } from "./elements.js";

/** The pictures that a file dialog offers. Not every system knows the type of HEIC files. */
export const pictureTypes = "image/*,.heic,.heif";

/** The maximum side of a converted picture in pixels. */
const longestSide = 2048;

const formats = [
    ["image/jpeg", [0xFF, 0xD8, 0xFF]], ["image/png", [0x89, 0x50, 0x4E, 0x47]], ["image/gif", [0x47, 0x49, 0x46, 0x38]],
    ["image/webp", [0x52, 0x49, 0x46, 0x46, null, null, null, null, 0x57, 0x45, 0x42, 0x50]],
];
const heif = ["heic", "heix", "heim", "heis", "mif1", "msf1"];

/** Returns the type that the content of a picture has, or the empty string. */
export async function typeOf(file) {
    const head = new Uint8Array(await file.slice(0, 12).arrayBuffer());
    const found = formats.find(([, bytes]) => bytes.every((byte, place) => byte === null || head[place] === byte));
    if (found) return found[0];
    const [box, brand] = [4, 8].map((place) => String.fromCharCode(...head.slice(place, place + 4)));
    return box === "ftyp" && heif.includes(brand) ? "image/heic" : "";
}

/**
 * Returns a picture in one of the given types: the file itself, or a JPEG of it if this browser can read it, and null otherwise.
 * Safari reads HEIC, and all browsers read AVIF.
 */
export async function picture(file, types) {
    if (types.includes(await typeOf(file))) return file;
    try {
        const bitmap = await createImageBitmap(file);
        const scale = Math.min(1, longestSide / Math.max(bitmap.width, bitmap.height));
        const canvas = element("canvas");
        canvas.width = Math.max(1, Math.round(bitmap.width * scale));
        canvas.height = Math.max(1, Math.round(bitmap.height * scale));
        const pen = canvas.getContext("2d");
        // A JPEG has no transparent pixels.
        pen.fillStyle = "#fff";
        pen.fillRect(0, 0, canvas.width, canvas.height);
        pen.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
        bitmap.close();
        return await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.9));
    } catch {
        return null;
    }
}
