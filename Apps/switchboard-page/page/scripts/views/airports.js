import { element } from "../elements.js";
export function airportsView() { return { element: element("div"), show() {} }; }
