"""Restores the ß of German words that wordfreq writes as ss.

wordfreq folds case, which turns ß into ss. Modern spelling has ß after a long vowel. No rule tells which vowels are long, so
the stems are listed here. Words that exist in both forms ("Masse" and "Maße", "Busse" and "Buße") are not changed.
"""

import re

STEMS = """
gross gröss strass(?=e) strässch heiss schliess draussen ausser äusser (?<!k)(?<!p)reiss(?!t[aeiouäöü]) (?<!be)(?<!aus)(?<!hin)weiss(?!ag)
liess fliess giess geniess schiess spriess verdriess stiess hiess fuss(?!el) füss spass späss bloss blöss gruss grüss
stoss stöss süss (?<!ar)beiss schweiss fleiss scheiss kreisssa geiss dreissig schmeiss massnahm massstab massgeb massst mässig gemäss
ausmass vergass ^säss gesäss besäss strauss preuss meissel büss entblöss ^mass$ ^sass$ ^sassen$ ^ass$ ^assen$ ^frass$ aussen(?!d)
""".split()

PATTERN = re.compile("|".join(f"(?:{stem})" for stem in STEMS))


def with_sharp_s(word: str) -> str:
    """The spelling of a word in Germany and Austria."""
    return PATTERN.sub(lambda found: found.group().replace("ss", "ß", 1), word)
