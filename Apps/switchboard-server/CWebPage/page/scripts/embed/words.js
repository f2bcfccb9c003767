// The texts of the airport picker for other sites. Another language is another member with the same keys.

const languages = {
    en: {
        label: "Airport", placeholder: "City, airport or code", clear: "Clear", results: "Airports", searching: "Searching …",
        nothing: (query) => `No airport found for “${query}”`, count: { one: "# airport", other: "# airports" }, none: "No airports",
        chosen: (name) => `${name} chosen`, required: "Choose an airport.", unfinished: "Choose an airport from the list.",
        offline: "The server cannot be reached. Only popular airports are found.",
    },
    de: {
        label: "Flughafen", placeholder: "Stadt, Flughafen oder Code", clear: "Löschen", results: "Flughäfen", searching: "Suche läuft …",
        nothing: (query) => `Kein Flughafen gefunden für „${query}“`, count: { one: "# Flughafen", other: "# Flughäfen" }, none: "Keine Flughäfen",
        chosen: (name) => `${name} gewählt`, required: "Wählen Sie einen Flughafen.", unfinished: "Wählen Sie einen Flughafen aus der Liste.",
        offline: "Der Server ist nicht erreichbar. Nur häufig genutzte Flughäfen werden gefunden.",
    },
    fr: {
        label: "Aéroport", placeholder: "Ville, aéroport ou code", clear: "Effacer", results: "Aéroports", searching: "Recherche en cours…",
        nothing: (query) => `Aucun aéroport trouvé pour « ${query} »`, count: { one: "# aéroport", other: "# aéroports" }, none: "Aucun aéroport",
        chosen: (name) => `${name} sélectionné`, required: "Choisissez un aéroport.", unfinished: "Choisissez un aéroport dans la liste.",
        offline: "Le serveur est injoignable. Seuls les aéroports les plus fréquentés sont proposés.",
    },
    es: {
        label: "Aeropuerto", placeholder: "Ciudad, aeropuerto o código", clear: "Borrar", results: "Aeropuertos", searching: "Buscando…",
        nothing: (query) => `No se encontró ningún aeropuerto para «${query}»`, count: { one: "# aeropuerto", other: "# aeropuertos" },
        none: "Ningún aeropuerto", chosen: (name) => `${name} seleccionado`, required: "Elija un aeropuerto.",
        unfinished: "Elija un aeropuerto de la lista.", offline: "No se puede acceder al servidor. Solo se encuentran los aeropuertos más usados.",
    },
    it: {
        label: "Aeroporto", placeholder: "Città, aeroporto o codice", clear: "Cancella", results: "Aeroporti", searching: "Ricerca in corso…",
        nothing: (query) => `Nessun aeroporto trovato per «${query}»`, count: { one: "# aeroporto", other: "# aeroporti" }, none: "Nessun aeroporto",
        chosen: (name) => `${name} selezionato`, required: "Scegliere un aeroporto.", unfinished: "Scegliere un aeroporto dall'elenco.",
        offline: "Il server non è raggiungibile. Si trovano solo gli aeroporti più usati.",
    },
    pt: {
        label: "Aeroporto", placeholder: "Cidade, aeroporto ou código", clear: "Limpar", results: "Aeroportos", searching: "A procurar…",
        nothing: (query) => `Nenhum aeroporto encontrado para “${query}”`, count: { one: "# aeroporto", other: "# aeroportos" },
        none: "Nenhum aeroporto", chosen: (name) => `${name} selecionado`, required: "Escolha um aeroporto.",
        unfinished: "Escolha um aeroporto da lista.", offline: "O servidor não está acessível. Só se encontram os aeroportos mais usados.",
    },
    pl: {
        label: "Lotnisko", placeholder: "Miasto, lotnisko lub kod", clear: "Wyczyść", results: "Lotniska", searching: "Szukanie…",
        nothing: (query) => `Nie znaleziono lotniska dla „${query}”`,
        count: { one: "# lotnisko", few: "# lotniska", many: "# lotnisk", other: "# lotniska" }, none: "Brak lotnisk",
        chosen: (name) => `Wybrano: ${name}`, required: "Wybierz lotnisko.", unfinished: "Wybierz lotnisko z listy.",
        offline: "Serwer jest niedostępny. Wyszukiwane są tylko najczęściej używane lotniska.",
    },
    ru: {
        label: "Аэропорт", placeholder: "Город, аэропорт или код", clear: "Очистить", results: "Аэропорты", searching: "Поиск…",
        nothing: (query) => `По запросу «${query}» аэропорт не найден`,
        count: { one: "# аэропорт", few: "# аэропорта", many: "# аэропортов", other: "# аэропорта" }, none: "Нет аэропортов",
        chosen: (name) => `Выбрано: ${name}`, required: "Выберите аэропорт.", unfinished: "Выберите аэропорт из списка.",
        offline: "Сервер недоступен. Ищутся только популярные аэропорты.",
    },
    tr: {
        label: "Havalimanı", placeholder: "Şehir, havalimanı veya kod", clear: "Temizle", results: "Havalimanları", searching: "Aranıyor…",
        nothing: (query) => `“${query}” için havalimanı bulunamadı`, count: { one: "# havalimanı", other: "# havalimanı" },
        none: "Havalimanı yok", chosen: (name) => `${name} seçildi`, required: "Bir havalimanı seçin.",
        unfinished: "Listeden bir havalimanı seçin.", offline: "Sunucuya ulaşılamıyor. Yalnızca popüler havalimanları bulunur.",
    },
};

/** Returns the texts in a language such as "de-AT", or else in English, with the functions that a combobox needs. */
export function wordsOf(language) {
    const known = Object.hasOwn(languages, language.slice(0, 2).toLowerCase()) ? language.slice(0, 2).toLowerCase() : "en";
    const words = languages[known];
    const rules = new Intl.PluralRules(known);
    const number = new Intl.NumberFormat(known);
    return {
        ...words, language: known,
        count: (count) => (count === 0 ? words.none : (words.count[rules.select(count)] ?? words.count.other).replace("#", number.format(count))),
    };
}
