import { element } from "../elements.js";
export function activityView() { return { element: element("div"), show() {} }; }
