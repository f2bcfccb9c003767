"""Writes the sample address book: difficult contacts and fictitious people in many languages."""

import sys
from pathlib import Path

from numbers_of_fiction import number
from traps import TRAPS, Contact
from vcards import card

HERE = Path(__file__).parent
GROUPS = ["Family", "Friends", "Work", "Club", "Neighbours"]
ORGANIZATIONS = ["Initech", "Umbrella Tea", "Hooli Gardens", "Vandelay Imports", "Soylent Kitchens", "Tyrell Optics"]
NOTES = [
    "Plays the oboe.",
    "Met on the night train to Vienna.",
    "Allergic to nuts",
    "Только по вторникам",
    "Llamar después de las seis",
    "Schlüssel liegt beim Nachbarn",
    "電話は午後に",
    "يفضّل الرسائل",
    "Két gyerek, egy kutya",
    "Owes me a book\nand an umbrella",
]
FAMILY_FIRST = {"hu", "ja", "zh", "ko", "vi"}


def people() -> list[Contact]:
    contacts, language, region = [], "", ""
    serials: dict[str, int] = {}
    for line in (HERE / "people.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("[") and line.endswith("]"):
            language, region = line[1:-1].split()
        elif line and not line.startswith("#"):
            fields = [field.strip() for field in line.split(";")]
            index = len(contacts)
            serials[region] = serials.get(region, 10) + 1
            contacts.append(person(fields, language, region, index, serials[region]))
    return contacts


def person(fields: list[str], language: str, region: str, index: int, serial: int) -> Contact:
    """A contact whose other fields depend on its position in the list, so that every kind of field occurs."""
    contact = Contact(given=fields[0], family=fields[1], family_first=language in FAMILY_FIRST)
    if len(fields) == 4:
        contact.phonetic_given, contact.phonetic_family = fields[2], fields[3]
    contact.phones = [("cell", number(region, serial, index))]
    if index % 3 == 0:
        contact.phones.append(("home", number(region, serial + 40, index + 1)))
    if index % 2 == 0:
        contact.emails = [
            ("home" if index % 4 else "work", f"{language}.{serial}@example.{'org' if index % 4 else 'com'}")
        ]
    if index % 5 == 0:
        contact.organization = ORGANIZATIONS[index // 5 % len(ORGANIZATIONS)]
    if index % 4 == 1:
        contact.groups = [GROUPS[index // 4 % len(GROUPS)]]
    if index % 12 == 5:
        contact.groups.append("Favourites")
    if index % 9 == 2:
        contact.birthday = f"{1950 + index % 55}-{1 + index % 12:02d}-{1 + index % 28:02d}"
    if index % 7 == 3:
        contact.note = NOTES[index // 7 % len(NOTES)]
    return contact


def main() -> None:
    output = Path(sys.argv[1])
    contacts = TRAPS + people()
    cards = []
    for index, contact in enumerate(contacts):
        version = contact.version or ("3.0" if index % 3 else "4.0")
        cards.append(card(contact, version, f"sample-{index + 1:03d}@switchboard.example.org"))
    output.mkdir(parents=True, exist_ok=True)
    data = "".join(cards).encode("utf-8")
    (output / "contacts.vcf").write_bytes(data)
    print(f"contacts.vcf: {len(cards)} cards, {len(data) / 1000:.0f} kB")


if __name__ == "__main__":
    main()
