"""Contacts that are difficult to find, each with the reason for its inclusion."""

from dataclasses import dataclass, field


@dataclass
class Contact:
    given: str = ""
    family: str = ""
    additional: str = ""
    prefix: str = ""
    suffix: str = ""
    nickname: str = ""
    phonetic_given: str = ""
    phonetic_family: str = ""
    organization: str = ""
    unit: str = ""
    title: str = ""
    phones: list[tuple[str, str]] = field(default_factory=list)
    emails: list[tuple[str, str]] = field(default_factory=list)
    groups: list[str] = field(default_factory=list)
    note: str = ""
    birthday: str = ""
    display: str = ""
    family_first: bool = False
    version: str = ""
    why: str = ""  # Not written to the card, where a search would find it.

    def name(self) -> str:
        if self.display:
            return self.display
        parts = (
            [self.family, self.given, self.additional]
            if self.family_first
            else [self.given, self.additional, self.family]
        )
        separator = "" if self.family_first and is_han_or_hangul(self.family) else " "
        return separator.join(part for part in parts if part) or self.organization or self.nickname


def is_han_or_hangul(text: str) -> bool:
    return bool(text) and all("一" <= c <= "鿿" or "가" <= c <= "힣" or "぀" <= c <= "ヿ" for c in text)


TRAPS = [
    # Initials and prefixes.
    Contact(
        "Ana Anabel", "Smith", phones=[("cell", "+1 212 555 0123")], why="26223 must go back over its first split."
    ),
    Contact("Mary Ann", "Lee", phones=[("cell", "+1 415 555 0142")], why="6279533 skips the middle name."),
    Contact("Carmen Luz", "Diaz", phones=[("cell", "+1 305 555 0167")], why="253, 23429 and 34292."),
    Contact("Rio", "Grande", phones=[("work", "+1 915 555 0178")], why="74647 crosses into the next word."),
    Contact(nickname="Jogo", display="Jogo", phones=[("cell", "+44 7700 900177")], why="5646 spells the whole name."),
    Contact("Jacob", "Marley", phones=[("home", "+44 20 7946 0321")], why="2262 is inside the name."),
    Contact(
        "Maria del Carmen Inés", "Ruiz Soto", phones=[("cell", "+1 787 555 0191")], why="Six words, any four initials."
    ),
    Contact("Juan Pablo José", "Ortiz Peña", phones=[("cell", "+1 213 555 0104")], why="Five words."),
    Contact("Ludwig Maria Anton", "Graf Zeppelin", phones=[("work", "+49 89 99998 123")], why="Five words."),
    Contact("Mohandas Karamchand", "Patel", prefix="Dr.", phones=[("work", "+44 161 496 0345")]),
    Contact("Al", "Li", phones=[("cell", "+1 206 555 0111")], why="Two words of two letters."),
    Contact("O", "", phones=[("cell", "+1 646 555 0133")], why="One letter."),
    # Apostrophes, hyphens, other punctuation.
    Contact("Sinéad", "O'Connor", phones=[("cell", "+353 20 915 1234")], why="connor, oconnor and o connor."),
    Contact("Anne-Marie", "Dupont", phones=[("cell", "06 39 98 12 34")], why="marie and annemarie."),
    Contact("Jean-Luc", "Saint-Exupéry", phones=[("work", "01 99 00 45 67")]),
    Contact("D’Arcy", "Wretzky-Brown", phones=[("cell", "07700 900 278")], why="A curly apostrophe."),
    Contact("Mary-Kate", "O’Neill-Hughes", phones=[("cell", "+44 7700 900345")]),
    Contact("J. R. R.", "Thornbury", phones=[("home", "+44 1632 960 456")], why="Initials with full stops."),
    Contact("Martin", "Luther", suffix="Jr.", phones=[("cell", "+1 404 555 0155")]),
    Contact("X Æ A-12", "Test", phones=[("cell", "+1 512 555 0166")], why="Digits in a name."),
    # Letters without a decomposition.
    Contact("Łukasz", "Żyła", phones=[("cell", "+48 000 123 456")], why="Lukasz, 585279."),
    Contact("Klaus", "Großkreutz", phones=[("cell", "+49 171 39200 77")], why="ß is ss: gross, 47677."),
    Contact("Lærke", "Æbelø", phones=[("cell", "+45 00 12 34 56")], why="æ is ae: laerke, 523753."),
    Contact("Øyvind", "Ærø", phones=[("cell", "+47 000 12 345")], why="oyvind and oeyvind."),
    Contact("Þór", "Ðarason", phones=[("home", "+354 000 1234")], why="thor, darason."),
    Contact("İpek", "Ilgaz", phones=[("cell", "+90 500 000 01 23")], why="Dotted and dotless i."),
    Contact("Ħal", "Għaxaq", phones=[("home", "+356 0012 3456")]),
    Contact("Đorđe", "Đoković", phones=[("cell", "+381 60 000 0123")]),
    Contact("Jörg", "Mueller", phones=[("cell", "+49 30 23125 456")], why="The other spelling of Müller."),
    Contact("Jœl", "Cœur", phones=[("cell", "06 39 98 76 54")], why="œ is oe."),
    Contact("Ångström", "Nordmark", phones=[("cell", "070-174 06 12")], why="å is a and aa."),
    # Arabic and Hebrew script.
    Contact("أسامة", "الأحمد", phones=[("cell", "+20 100 000 0123")], why="Hamza: اسامة finds him."),
    Contact("آمنة", "إبراهيم", phones=[("cell", "+966 50 000 0123")], why="Madda and hamza below."),
    Contact("مُحَمَّد", "عَلِيّ", phones=[("cell", "+971 50 000 0123")], why="Harakat: محمد علي finds him."),
    Contact("محـــمود", "درويش", phones=[("cell", "+970 59 000 0123")], why="Tatweel."),
    Contact("שָׁלוֹם", "עֲלֵיכֶם", phones=[("cell", "+972 50 000 0123")], why="Points: שלום finds him."),
    # Two scripts in one name.
    Contact("Иван", "Smith", phones=[("cell", "+7 495 000-01-23")], why="Cyrillic and Latin."),
    Contact("Maria", "Παππά", phones=[("cell", "+30 690 000 0123")], why="Latin and Greek."),
    Contact("David", "李", phones=[("cell", "+852 0012 3456")], why="Latin and han."),
    Contact("Kim", "지영", phones=[("cell", "+82 10-0000-0123")], why="Latin and hangul."),
    Contact(
        "Юрий",
        "Жуков",
        additional="",
        nickname="Yura",
        phones=[("cell", "+7 495 000-04-56")],
        why="iuriizhukov, yuri, jurij.",
    ),
    Contact("Анна", "Cohen-כהן", phones=[("cell", "+972 50 000 0456")], why="Three alphabets."),
    # Family name first.
    Contact("Ji-hoon", "Lee", display="Lee Ji-hoon", family_first=True, phones=[("cell", "+82 10-0000-0456")]),
    Contact("Soo-jin", "Kim", display="Kim Soo-jin", family_first=True, phones=[("cell", "+82 10-0000-0789")]),
    Contact("Chan-wook", "Park", display="Park Chan-wook", family_first=True, phones=[("cell", "+82 10-0000-0321")]),
    Contact("Min-sik", "Choi", display="Choi Min-sik", family_first=True, phones=[("cell", "+82 10-0000-0654")]),
    Contact("Ferenc", "Puskás", display="Puskás Ferenc", family_first=True, phones=[("home", "+36 00 123 456")]),
    Contact("Xiaoping", "Deng", display="Deng Xiaoping", family_first=True, phones=[("work", "+86 100 0000 0123")]),
    Contact(
        "一郎",
        "鈴木",
        phonetic_given="イチロウ",
        phonetic_family="スズキ",
        family_first=True,
        phones=[("cell", "+81 90-0000-0123")],
    ),
    Contact(
        "ひかり",
        "あおき",
        phonetic_given="ヒカリ",
        phonetic_family="アオキ",
        family_first=True,
        phones=[("cell", "+81 90-0000-0456")],
    ),
    # Nicknames, organizations, no name at all.
    Contact("Robert", "Ellsworth", nickname="Bob", phones=[("cell", "+1 312 555 0188")], why="262 is Bob."),
    Contact("Elizabeth", "Windermere", nickname="Lizzie", phones=[("cell", "07700 900 456")]),
    Contact("Александра", "Пахмутова", nickname="Саша", phones=[("cell", "+7 495 000-07-89")]),
    Contact(organization="Acme Rockets", phones=[("work", "+1 800 555 0199")], why="Only an organisation."),
    Contact(organization="Bäckerei Süß & Söhne", phones=[("work", "040 66969 321")]),
    Contact(organization="Пиццерия «Ёлки-Палки»", phones=[("work", "+7 495 000-11-22")]),
    Contact(organization="株式会社さくら", phones=[("work", "+81 3-0000-0123")]),
    Contact(organization="24h Plumbing", phones=[("work", "+44 808 157 0123")], why="Begins with digits."),
    Contact(
        "Nadia",
        "Rahman",
        organization="Globex Corporation",
        unit="Research",
        title="Chemist",
        phones=[("work", "+44 131 496 0123")],
        why="Found by globex.",
    ),
    Contact(display="+1 702 555 0100", phones=[("cell", "+1 702 555 0100")], why="A number without a name."),
    Contact(
        display="nobody.in.particular@example.org",
        emails=[("home", "nobody.in.particular@example.org")],
        why="An address without name or number.",
    ),
    # Numbers: trunk zero, country code, several, the same number twice.
    Contact(
        "Trunk",
        "Zero",
        phones=[("cell", "07700 900123")],
        why="Typed 07700900123, +447700900123 and 00447700900123 alike.",
    ),
    Contact("Stored", "International", phones=[("cell", "+44 7700 900124")], why="Found by 07700900124."),
    Contact("Dreizehn", "Ziffern", phones=[("work", "(0)69 90009 123")], why="Brackets round the trunk zero."),
    Contact(
        "Many",
        "Numbers",
        phones=[
            ("cell", "+1 917 555 0151"),
            ("home", "+1 917 555 0152"),
            ("work", "+1 917 555 0153"),
            ("fax", "+1 917 555 0154"),
            ("pager", "+1 917 555 0156"),
        ],
        why="Five numbers.",
    ),
    Contact(
        "Twice",
        "Told",
        phones=[("cell", "+1 617 555 0120"), ("home", "(617) 555-0120")],
        why="One number in two writings.",
    ),
    Contact("Front", "Desk", phones=[("work", "+1 617 555 0129,,4321")], why="A number with pauses and an extension."),
    Contact("Short", "Code", phones=[("work", "116 117")], why="A service number."),
    Contact("Dot", "Notation", phones=[("work", "212.555.0157")], why="Dots."),
    Contact("Tomás", "Zero-Seven", phones=[("cell", "0044 7700 900125")], why="Written with 00."),
    # Long lines and special characters.
    Contact(
        "Konstantinos Alexandros",
        "Papachristodoulopoulos",
        phones=[("cell", "+30 690 000 0456")],
        why="A long name: the line folds.",
    ),
    Contact("Wolfeschlegelsteinhausenbergerdorff", "Hubert", phones=[("home", "+1 215 555 0148")]),
    Contact(
        "Semi;colon",
        "Com,ma",
        phones=[("cell", "+1 971 555 0112")],
        note="One back\\slash; one, comma\nand a second line.",
    ),
    Contact("Emoji 🎷", "Saxon", phones=[("cell", "+1 504 555 0119")], why="A sign outside the first plane."),
]
