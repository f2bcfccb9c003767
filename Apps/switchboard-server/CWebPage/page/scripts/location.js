// The user's location, rounded before it leaves the device.

import { ensureAccess } from "./access.js";
import { UserError } from "./errors.js";
import { texts } from "./texts.js";

/** Returns the location rounded to about a kilometre, or null if access is denied. */
export async function coarseLocation() {
    if (!navigator.geolocation || !isSecureContext) throw new UserError(texts.airports.unavailable);
    if (!(await ensureAccess("location"))) return null;
    const position = await new Promise((resolve, reject) => {
        navigator.geolocation.getCurrentPosition(resolve, reject, { enableHighAccuracy: false, timeout: 15_000, maximumAge: 600_000 });
    }).catch((error) => {
        throw new UserError(error.code === 1 ? texts.airports.refused : texts.airports.noPlace, { cause: error });
    });
    return rounded(position.coords);
}

/** Rounds to a hundredth of a degree, about a kilometre. */
export function rounded({ latitude, longitude }) {
    return { latitude: Math.round(latitude * 100) / 100, longitude: Math.round(longitude * 100) / 100 };
}
