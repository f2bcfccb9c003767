"""Selects and encodes names in other languages."""

import re
from collections import defaultdict
from collections.abc import Sequence

from naming import folded
from sources import Name, Point, by_hand

#: Kept for all rows.
MAIN = "en ru es tr de fr it pt ja zh ar ko uk".split()
#: Kept for the popular airports and for cities.
MORE = "pl nl sv cs el he hu fi da no ro bg sr ka hy fa hi th vi id".split()
#: Kept for the rows of a country as well.
OF_COUNTRY = {
    "PL": "pl", "NL": "nl", "BE": "nl", "SE": "sv", "CZ": "cs", "GR": "el", "CY": "el", "IL": "he", "HU": "hu",
    "FI": "fi", "DK": "da", "NO": "no", "RO": "ro", "MD": "ro", "BG": "bg", "RS": "sr", "GE": "ka", "AM": "hy",
    "IR": "fa", "AF": "fa", "IN": "hi", "TH": "th", "VN": "vi", "ID": "id",
}
#: Language codes of OpenTravelData and ours.
SAME = {
    "nb": "no",
    "nn": "no",
    "zh-CN": "zh",
    "zh-TW": "zh",
    "zh-HK": "zh",
    "zh-Hant": "zh",
    "zh-Hans": "zh",
    "wuu": "zh",
    "yue": "zh",
}
#: Pseudo languages of OpenTravelData: links, post codes, codes of other registers.
NOT_NAMES = {"link", "post", "wkdt", "unlc", "iata", "icao", "faac", "tcid", "phon", "piny", "pny"}

FORMER = "x"

#: Words for "airport" before or after a name, by language.
AIRPORT_WORDS = {
    "en": r"(international|regional|municipal)? ?(airport|aerodrome|airfield|air base)$",
    "ru": r"^(новый )?(международный )?аэропорт( имени)?|(международный )?аэропорт$|^аэродром",
    "uk": r"^(міжнародний )?(аеропорт|летовище)( імені)?|(міжнародний )?аеропорт$",
    "es": r"^aeropuerto( nacional)?( internacional)?( de la| del| de)?\b|^aeródromo( de)?\b",
    "pt": r"^aeroporto( nacional| regional)?( internacional)?( de| do| da)?\b|^aeródromo( de)?\b",
    "it": r"^aeroporto( internazionale)?( di| del| della| dell'|)?\b|^aeroporto dell'",
    "fr": r"^aéroport( international)?( de la| de l'| de| du| d'| des)?(?=[\s'A-ZÀ-Ý])|^aérodrome( de| d')?",
    "de": r"^(internationaler )?(flughafen|flugplatz|verkehrsflughafen)\b"
    r"|[- ]?(international airport|airport|flughafen|flugplatz)$",
    "tr": r"(uluslararası )?(havalimanı|havaalanı|havaalani|hava limanı)$",
    "ja": r"(国際)?(空港|飛行場)$",
    "zh": r"(国际|國際|国際)?(机场|機場|空港|飞机场|飛機場)$",
    "ko": r" ?(국제)? ?(공항|비행장)$",
    "ar": r"^مطار|(الدولي)$",
    "fa": r"^فرودگاه( بین‌المللی| بین المللی)?",
    "pl": r"^(międzynarodowy )?(port lotniczy|lotnisko)( im\.)?\b",
    "nl": r"^(internationale )?(luchthaven|vliegveld)\b|(international airport)$",
    "sv": r"(internationella)? ?flygplats$",
    "no": r"(internasjonale)? ?(lufthavn|lufthamn)$",
    "da": r"(internationale)? ?lufthavn$",
    "fi": r"(kansainvälinen )?lentoasema$|(kansainvälinen )?lentokenttä$",
    "cs": r"^(mezinárodní )?letiště\b",
    "hu": r"(nemzetközi )?(repülőtér|repülőtere)$",
    "ro": r"^aeroportul( internațional| internaţional)?\b",
    "el": r"^(διεθν[ήέ]ς |κρατικός )?(αεροδρόμιο|αερολιμένας|αερολιμένα)( της| του)?",
    "he": r"^(נמל התעופה|נמל תעופה|שדה התעופה)( הבינלאומי)?( של)?",
    "bg": r"^(международно )?летище\b",
    "sr": r"^(међународни )?аеродром\b",
    "ka": r"(საერთაშორისო )?აეროპორტი$",
    "hy": r"(միջազգային )?օդանավակայան$",
    "hi": r"(अंतर्राष्ट्रीय |अन्तर्राष्ट्रीय |अंतरराष्ट्रीय )?(विमानक्षेत्र|हवाई अड्डा)$",
    "th": r"^(ท่าอากาศยาน|สนามบิน)(นานาชาติ)?",
    "vi": r"^(sân bay|cảng hàng không)( quốc tế)?",
    "id": r"^(bandar udara|bandara|lapangan terbang)( internasional)?",
}
AIRPORT_WORDS = {language: re.compile(pattern, re.IGNORECASE) for language, pattern in AIRPORT_WORDS.items()}

#: Letters that names in languages with a script of their own have.
SCRIPTS = {
    language: re.compile(f"[{letters}]")
    for letters, group in {
        "Ѐ-ӿ": "ru uk bg sr", "Ͱ-Ͽ": "el", "֐-׿": "he", "؀-ۿ": "ar fa", "ऀ-ॿ": "hi", "฀-๿": "th", "Ⴀ-ჿ": "ka",
        "԰-֏": "hy", "가-힣": "ko", "一-鿿": "zh", "぀-ヿ一-鿿": "ja",
    }.items()
    for language in group.split()
}
#: A word for "city" after the name of a city.
CITY_WORDS = {"tr": re.compile(r" ([Kk]enti|[Şş]ehri)$")}

#: The endings of a name that belonged to the word for "airport" behind it (Heathrow'n lentoasema).
GENITIVES = {"fi": ("'n", ":n", "in", "n"), "hu": ("-i", "i")}

JUNK = re.compile(r"https?:|\.(gif|jpe?g|png|svg)\b|^Q?\d+$|^[A-Z]{2} ?[A-Z0-9]{3}$|[|=;\t\n]")
LATIN = re.compile(r"^[\W\dA-Za-zÀ-ɏḀ-ỿ]+$")


def colloquial() -> dict[str, list[tuple[str, str]]]:
    """The manually listed names: code → [(language, name)]."""
    table = defaultdict(list)
    for row in by_hand("colloquial.tsv"):
        for name in row["names"].split("|"):
            table[row["code"]].append((row["language"] or FORMER, name))
    return table


def titles() -> dict[str, dict[str, str]]:
    """The manually listed names of airports: code → language → name."""
    table: dict[str, dict[str, str]] = defaultdict(dict)
    for row in by_hand("titles.tsv"):
        table[row["code"]][row["language"]] = row["name"]
    return table


def add_by_hand(names: dict[str, list[str]], entries: list[tuple[str, str]]) -> None:
    """Adds manually listed names: appended, because the first name of a language is displayed.

    Among former names they come first, so that their spelling is kept instead of one with other accents (Madrás).
    """
    for language, text in entries:
        texts = names.setdefault(language, [])
        texts.insert(0 if language == FORMER else len(texts), text)


def without_airport_words(language: str, text: str) -> str:
    pattern = AIRPORT_WORDS.get(language)
    if pattern is None:
        return text
    for _ in range(2):
        text = pattern.sub("", text).strip(" -–—,«»\"'")
    return text


def nominative(language: str, text: str, others: Sequence[str]) -> str:
    """A name without the ending of a genitive or adjective, if it is then a name, or the end of one, in another language."""
    words = [f" {folded(other)}" for other in others]
    for ending in GENITIVES.get(language, ()):
        base = text.removesuffix(ending)
        if base != text and any(other.endswith(f" {folded(base)}") for other in words):
            return base
    return text


def of_row(country: str, popular: bool) -> list[str]:
    """The languages in which a row keeps its names."""
    if popular:
        return MAIN + MORE
    return MAIN + ([OF_COUNTRY[country]] if country in OF_COUNTRY else [])


def collect(names: list[Name], languages: list[str], airport: bool, per_language: int) -> dict[str, list[str]]:
    """Names by language, preferred ones first; former and colloquial names of all languages are under `x`."""
    kept: dict[str, list[str]] = defaultdict(list)
    order = sorted(range(len(names)), key=lambda i: ("p" not in names[i].flags, i))
    others = [without_airport_words(n.language, clean(n.text)) for n in names if n.language not in GENITIVES]
    for name in (names[i] for i in order):
        language = SAME.get(name.language, name.language)
        if language in NOT_NAMES or JUNK.search(name.text) or len(name.text) > 60:
            continue
        if language == "abbr":
            if len(name.text) > 1 and not any(c.isdigit() for c in name.text):
                kept[FORMER].append(name.text)
            continue
        text = clean(name.text)
        if airport:
            text = nominative(language, without_airport_words(language, text), others)
        if len(text) < 2 and not "一" <= text[:1] <= "鿿":
            continue
        if language not in languages:
            continue
        if language in CITY_WORDS:
            text = CITY_WORDS[language].sub("", text)
        if language in SCRIPTS and not SCRIPTS[language].search(text):
            kept[FORMER].append(text)
        elif "h" in name.flags or "c" in name.flags:
            kept[FORMER].append(text)
        else:
            kept[language].append(text)
    return {language: unique(texts)[: per_language if language != FORMER else 8] for language, texts in kept.items()}


def names_of_city(city: Point) -> list[Name]:
    """The names of a city; if its point is an airport, without words for "airport"."""
    if not city.feature.startswith("AIR"):
        return city.names
    return [Name(n.language, without_airport_words(n.language, n.text), n.flags) for n in city.names]


def settle_unnamed(kept: dict[str, list[str]], city: str) -> None:
    """Keeps two spellings of the city among the names without a language (Frankfort, Istambul) and drops the rest."""
    near = [n for n in kept.pop("", []) if LATIN.match(n) and folded(n)[:2] == folded(city)[:2]]
    kept.setdefault(FORMER, []).extend(near[:2])


def clean(text: str) -> str:
    """Removes text in brackets or after a comma, stress marks and invisible characters."""
    text = re.sub(r"\s*[\(\[（].*?[\)\]）]", "", text)
    text = re.sub(r"(?<=\w{3})(,|،| på)\s.*$", "", text)
    text = (
        # A Latin letter with an accent stands for a stressed Cyrillic letter.
        re.sub("(?<=[а-яё])é", "е", re.sub("(?<=[а-яё])á", "а", text))
        .replace("\u0301", "")
        .replace("\u200c", " ")
        .replace("\u200e", "")
        .replace("\u200f", "")
        .replace("\u00ad", "")
    )
    return " ".join(text.replace("’", "'").replace("`", "'").split())


def unique(texts: list[str]) -> list[str]:
    seen, kept = set(), []
    for text in texts:
        if folded(text) not in seen:
            seen.add(folded(text))
            kept.append(text)
    return kept


def compact(kept: dict[str, list[str]], known: list[str], listed: Sequence[tuple[str, str]] = ()) -> str:
    """`lang=Name|Name;lang=Name`, without names that equal a displayed name in `known` after folding.

    Languages that share a name (Стамбул) each keep it. Former names do not repeat those of a language, except for the
    `listed` ones, whose spelling is shown (Canton rather than Cantón).
    """
    shown = {folded(text) for text in known}
    parts = []
    order = MAIN + MORE
    said = set(shown)
    repeated = {text for _, text in listed if folded(text) not in shown}
    for language in sorted(kept, key=lambda k: (order.index(k) if k in order else len(order), k)):
        names = unique(kept[language])
        without = said if language == FORMER else shown
        fresh = [text for text in names if folded(text) not in without or language == FORMER and text in repeated]
        if fresh and language not in (FORMER, "en") and fresh[0] != names[0]:
            # The usual name stays first because the first name is displayed, not a variant (Zuerich).
            fresh.insert(0, names[0])
        said.update(folded(text) for text in fresh)
        if fresh:
            escaped = (text.replace(";", ",").replace("|", "/").replace("=", "-") for text in fresh)
            parts.append(f"{language}={'|'.join(escaped)}")
    return ";".join(parts)
