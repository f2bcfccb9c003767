import { element } from "../elements.js";
export function findView() { return { element: element("div"), show() {} }; }
