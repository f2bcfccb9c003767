"""Names of countries and territories from the Unicode CLDR."""

import xml.etree.ElementTree as ElementTree
from pathlib import Path

from languages import FORMER, MAIN, MORE, compact
from sources import by_hand

CLDR = Path("/usr/share/unicode/cldr/common/main")


def territories(language: str) -> dict[str, list[str]]:
    """Code → names, the standard name first, then CLDR's short and variant forms."""
    root = ElementTree.parse(CLDR / f"{language}.xml").getroot()
    names: dict[str, dict[str, str]] = {}
    for element in root.iterfind("./localeDisplayNames/territories/territory"):
        code = element.get("type", "")
        if len(code) == 2 and element.text and element.text != "↑↑↑":
            names.setdefault(code, {})[element.get("alt", "")] = element.text
    return {
        code: [forms[key] for key in sorted(forms, key=lambda k: (k != "", k))]
        for code, forms in names.items()
        if forms
    }


def names(code: str) -> dict[str, list[str]]:
    return {language: list(TABLES[language][code]) for language in MAIN + MORE if code in TABLES[language]}


def country_rows(codes: set[str]) -> list[tuple[str, str]]:
    by_code = {code: names(code) for code in codes}
    for row in by_hand("country-names.tsv"):
        if row["code"] in by_code:
            by_code[row["code"]].setdefault(row["language"] or FORMER, []).extend(row["names"].split("|"))
    return [(code, compact(by_code[code], [])) for code in sorted(by_code)]


def english(code: str) -> str:
    return TABLES["en"].get(code, [code])[0]


TABLES = {language: territories(language) for language in MAIN + MORE}
