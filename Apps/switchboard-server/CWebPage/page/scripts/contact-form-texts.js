// The texts of the form for contacts in English, which are loaded with it. A translation is another file with the same keys.

export const formTexts = {
    newTitle: "New contact",
    editTitle: "Edit contact",
    moreFields: "More fields",
    groupsField: "Groups, separated by commas",
    label: "Label",
    labelOf: (name) => `Label of ${name.toLowerCase()}`,
    remove: (name) => `Remove ${name}`,
    /** The names of an element of each list. */
    elements: { phones: "Phone", emails: "E-mail", addresses: "Address", urls: "Page", relatedNames: "Related person", socialProfiles: "Profile" },
    add: { phones: "Add phone", emails: "Add e-mail", addresses: "Add address", urls: "Add page", relatedNames: "Add related person", socialProfiles: "Add profile" },
    /** The labels to choose from; others can be typed. The server knows these words. */
    labels: {
        phones: ["mobile", "home", "work", "main", "home fax", "work fax", "pager", "other"],
        emails: ["home", "work", "other"], addresses: ["home", "work", "other"], urls: ["home", "work", "blog", "other"],
    },
    profile: { service: "Service", user: "User name", url: "Address of the profile" },
    address: {
        street: "Street", extended: "Apartment or suite", box: "Post office box", postalCode: "Postal code", locality: "City",
        region: "State or province", country: "Country",
    },
};
