// Elements out of data. Text becomes text nodes and nothing else, so no name can ever become markup.

/**
 * Makes an element.
 * Properties beginning with "on" are listeners; false, null and undefined are left out; true is an attribute without a value.
 * Children may be nodes, texts, nothing, or arrays of these.
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

/** Puts these children in the place of all that were there. */
export function fill(parent, ...children) {
    parent.replaceChildren(...nodes(children));
    return parent;
}

function nodes(children) {
    return children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
}

let count = 0;

/** An identifier that no other element has, for labels and descriptions. */
export function freshId(prefix) {
    count += 1;
    return `${prefix}-${count}`;
}
