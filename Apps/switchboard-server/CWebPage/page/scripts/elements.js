// DOM construction. Text only becomes text nodes, so it can never become markup.

/**
 * Creates an element.
 * Properties starting with "on" are listeners; false, null and undefined are left out; true is an attribute without a value.
 * Children are nodes, strings, null, or arrays of these.
 */
export function element(name, properties = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(properties)) {
        if (value === false || value === null || value === undefined) continue;
        if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
        else made.setAttribute(key, value === true ? "" : String(value));
    }
    made.append(...nodes(children));
    return made;
}

/** Replaces all children. */
export function fill(parent, ...children) {
    parent.replaceChildren(...nodes(children));
    return parent;
}

function nodes(children) {
    return children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
}

let count = 0;

/** Returns a unique element ID, for labels and descriptions. */
export function freshId(prefix) {
    count += 1;
    return `${prefix}-${count}`;
}
