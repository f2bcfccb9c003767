"""Pairs of names that sound alike: two names of one locale in Faker whose codes are equal under three phonetic systems.

The systems are those of the package abydos: Kölner Phonetik and Phonem for German, Double Metaphone and NYSIIS for other
languages, and Beider-Morse for all. The first two ignore most vowels; Beider-Morse distinguishes them by language.
"""

from collections import defaultdict

from abydos.phonetic import NYSIIS, BeiderMorse, DoubleMetaphone, Koelner, Phonem
from faker import Faker
from folding import distance, fold

GROUPS = [
    (("en_US", "en_GB"), "english"), (("de_DE",), "german"), (("fr_FR",), "french"), (("es_ES",), "spanish"),
    (("nl_NL",), "dutch"), (("it_IT",), "italian"), (("pt_BR",), "portuguese"), (("pl_PL",), "polish"),
    (("tr_TR",), "turkish"), (("en_IN",), "english"),
]
# Pairs with equal codes that differ in sound or in gender, by reading the list of all pairs.
DIFFERENT = {
    frozenset(pair.split("/")) for pair in """
    adrien/adrienne amaira/amara ana/anne anthony/antonie bahl/bail bail/bal bail/behl bali/balli ball/bell ball/bull
    barnett/burnett barry/berry barton/burton boase/bose bora/borra borah/borra brandon/brendan carr/kerr chang/chung
    coenen/kunen colin/colleen colleen/collin cross/cruz dan/dean dan/don dana/deanna dana/donna daniel/danielle dara/dora
    elaine/ellen emmanuel/emmanuelle fien/finn gabriel/gabrielle gabriela/gabrielle gala/gola gala/golla hall/hull
    hanson/henson harmon/herman hoffman/huffman ian/jan ian/jann jaime/jemma jean/jeanne jeanne/jenna jill/juul joan/joann
    joan/joanne joana/johanna joanna/johanna jodie/judy jody/judy john/juan jon/juan kanda/konda kanda/kunda kari/kerri
    kata/kota kay/key konda/kunda kriens/kruns lang/long lieke/luke lina/luna loek/luc loek/luuk louis/luis maillet/mallet
    mani/muni mannan/menon marcel/marcelle maria/mario mariah/mario marian/marion marie/mary marietta/marita
    marietta/maritta melina/milena michael/michelle micheal/michele micheal/michelle michel/michelle nas/naz nick/niek
    parry/perry peri/puri rahman/roman sahni/saini sahni/sani sahni/soni saini/sani sani/soni sathe/seth shah/shea
    susan/susanne susan/suzanne tammie/tommy tammy/tommy tanya/tonya trub/trupp valette/vallet walls/wells wang/wong
    warner/werner yachana/yochana
    """.split()
}
LISTS = {
    "given": ["first_names", "first_names_female", "first_names_male"],
    "family": ["last_names", "last_names_female", "last_names_male"],
}


def listed(locale: str, attributes: list[str]) -> set[str]:
    """The names of Faker's provider of people, without double names."""
    provider = next(each for each in Faker(locale).factories[0].providers if "person" in type(each).__module__)
    names = {name for attribute in attributes for name in getattr(provider, attribute, None) or ()}
    return {name for name in names if " " not in name and "-" not in name}


def variants() -> dict[tuple[str, str], dict[str, list[str]]]:
    """The other spellings of each name, by locale and field."""
    found: dict[tuple[str, str], dict[str, list[str]]] = defaultdict(dict)
    for locales, language in GROUPS:
        beider_morse = BeiderMorse(language_arg=language, match_mode="exact")
        coders = [Koelner(), Phonem()] if language == "german" else [DoubleMetaphone(), NYSIIS(max_length=-1)]
        for field, attributes in LISTS.items():
            classes = defaultdict(set)
            for name in {name for locale in locales for name in listed(locale, attributes)}:
                classes[tuple(str(coder.encode(name)) for coder in coders)].add(name)
            for names in classes.values():
                sounds = {name: set(beider_morse.encode(name).split()) for name in names if len(names) > 1}
                for name in sorted(sounds):
                    others = sorted(
                        other for other in sounds
                        if sounds[name] & sounds[other] and differ_by_spelling(fold(name), fold(other)))
                    for locale in locales:
                        if others:
                            found[locale, field][name] = others
    return found


def differ_by_spelling(one: str, other: str) -> bool:
    """False for the same letters, very different ones, the two genders of a name (Antonia, Antonio) and a silent H."""
    stems = {name.rstrip("aeo") for name in (one, other)}
    if one == other or len(stems) < 2 or one.startswith("h") != other.startswith("h"):
        return False
    return distance(one, other) <= 3 and frozenset((one, other)) not in DIFFERENT
