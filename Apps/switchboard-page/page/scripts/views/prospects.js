import { element } from "../elements.js";
export function prospectsView() { return { element: element("div"), show() {} }; }
