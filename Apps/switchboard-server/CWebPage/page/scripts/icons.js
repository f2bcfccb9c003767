// Line icons of 24 by 24 units in the current text color, hidden from screen readers.

const paths = {
    find: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13M15.3 15.3 20 20",
    contacts: "M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8M4.5 20c.7-3.6 3.8-5.5 7.5-5.5s6.8 1.9 7.5 5.5",
    prospects: "M5 6.5h14v13H5zM9 4v4M15 4v4M9 12.5h6M9 16h4",
    airports: "M3 13.5l7-2.5V5.5a2 2 0 0 1 4 0V11l7 2.5v2.200l-7-1.400v3.700l2 1.5V21l-4-1-4 1v-1.5l2-1.5v-3.700l-7 1.400z",
    activity: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16M12 8v4.5l3 2",
    settings: "M4 7h9M17 7h3M15 5v4M4 17h3M11 17h9M9 15v4M4 12h3M11 12h9M9 10v4",
    go: "M9.5 5.5 16 12l-6.5 6.5",
    order: "M8 5v14M4.5 15.5 8 19l3.5-3.5M16 19V5M12.5 8.5 16 5l3.5 3.5",
    more: "M6 12h.01M12 12h.01M18 12h.01",
    close: "M6 6l12 12M18 6 6 18",
    back: "M14.5 5.5 8 12l6.5 6.5",
    add: "M12 5v14M5 12h14",
    camera: "M4 8h3.5L9 5.5h6L16.5 8H20v11H4zM12 10a3.3 3.3 0 1 0 0 6.6 3.3 3.3 0 0 0 0-6.6",
    picture: "M4 5h16v14H4zM4 16l4.5-4.5 4 4 3-2.5 4.5 4M15.5 9h.01",
    badge: "M5 5h5v5H5zM14 5h5v5h-5zM5 14h5v5H5zM14 14h2v2h-2zM17 17h2v2h-2zM17.5 14h1.5M14 18.5h1",
    star: "M12 4.5l2.3 4.9 5.2.7-3.8 3.7.9 5.300L12 16.5l-4.6 2.6.9-5.3-3.8-3.7 5.2-.7z",
    bell: "M6 16.5c1.3-1.5 1.5-3 1.5-5.5a4.5 4.5 0 0 1 9 0c0 2.5.2 4 1.5 5.5zM10.3 19.5h3.4",
    remove: "M5 7h14M10 7V4.5h4V7M7 7l.8 12.5h8.400L17 7M10.5 10.5v6M13.5 10.5v6",
    edit: "M5 19l.8-3.800L15.5 5.5l3 3L8.8 18.200zM13.5 7.5l3 3",
    tick: "M5.5 12.5l4.3 4.300L18.5 8",
    keypad: "M6.5 6h.01M12 6h.01M17.5 6h.01M6.5 12h.01M12 12h.01M17.5 12h.01M6.5 18h.01M12 18h.01M17.5 18h.01",
    erase: "M9 6h11v12H9l-5.5-6zM12 9.5l5 5M17 9.5l-5 5",
    phone: "M6 4.5h3.5l1.5 4-2 1.5c.9 2.3 2.7 4.1 5 5l1.5-2 4 1.5V18c0 1-.8 1.7-1.8 1.600C10.5 19 5 13.5 4.4 6.3 4.3 5.3 5 4.5 6 4.5z",
    message: "M4 5.500h16v11h-9l-4.500 3.500v-3.500H4z",
    mail: "M4 6.5h16v11H4zM4 7l8 6 8-6",
    place: "M12 21s6-5.7 6-10.5a6 6 0 0 0-12 0C6 15.3 12 21 12 21zM12 8.5a2 2 0 1 0 0 4 2 2 0 0 0 0-4",
    link: "M10 14a4 4 0 0 0 5.7 0l2.6-2.600a4 4 0 0 0-5.7-5.700l-1 1M14 10a4 4 0 0 0-5.7 0l-2.6 2.600a4 4 0 0 0 5.7 5.700l1-1",
    item: "M6 4.5h8l4 4v11H6zM14 4.5v4h4M9 12.5h6M9 16h6",
    import: "M12 14.500v-10M8 8.500l4-4 4 4M5 19.5h14",
    export: "M12 4v10M8 10.5l4 4 4-4M5 19.5h14",
    group: "M9 5.500a3 3 0 1 0 0 6 3 3 0 0 0 0-6M3.500 19c.5-3 2.700-4.500 5.500-4.500s5 1.500 5.500 4.500M15.500 6a2.800 2.800 0 0 1 0 5.300M17 14.800c2 .4 3.200 1.800 3.500 4.200",
    day: "M4.500 6h15v13.500h-15zM4.500 10.500h15M8.500 4v4M15.500 4v4M9 15l2 2 4-4",
    select: "M4.500 6.500l1.500 1.500 2.500-3M4.500 16.500l1.500 1.500 2.500-3M12 6.500h8M12 17h8",
    copy: "M8.5 8.5h11v11h-11zM15.5 8.5v-4h-11v11h4",
};

/** Returns the icon with a name. */
export function icon(name) {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("viewBox", "0 0 24 24");
    svg.setAttribute("class", `icon icon-${name}`);
    svg.setAttribute("aria-hidden", "true");
    svg.setAttribute("focusable", "false");
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("d", paths[name] ?? "");
    svg.append(path);
    return svg;
}
