// Where the person is: asked for with its purpose, and made coarse before it leaves this device.

import { ensureAccess } from "./access.js";
import { Failure } from "./failures.js";
import { texts } from "./texts.js";

/** A place of about a kilometre's coarseness, or null if the person says no. Throws what a person can be told. */
export async function coarsePlace() {
    if (!navigator.geolocation || !isSecureContext) throw new Failure(texts.airports.unavailable);
    if (!(await ensureAccess("location"))) return null;
    const position = await new Promise((resolve, reject) => {
        navigator.geolocation.getCurrentPosition(resolve, reject, { enableHighAccuracy: false, timeout: 15_000, maximumAge: 600_000 });
    }).catch((error) => {
        throw new Failure(error.code === 1 ? texts.airports.refused : texts.airports.noPlace, { cause: error });
    });
    return rounded(position.coords);
}

/** To a hundredth of a degree: a kilometre or less. */
export function rounded({ latitude, longitude }) {
    return { latitude: Math.round(latitude * 100) / 100, longitude: Math.round(longitude * 100) / 100 };
}
