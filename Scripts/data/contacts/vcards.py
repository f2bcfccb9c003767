"""Writes contacts as vCard 3.0 (RFC 2426) and 4.0 (RFC 6350)."""

from traps import Contact


def escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,").replace("\n", "\\n")


def folded(line: str) -> str:
    """Lines of at most 75 octets; a character is never cut in two."""
    lines, current, size = [], "", 0
    for character in line:
        width = len(character.encode("utf-8"))
        if size + width > (75 if not lines else 74):
            lines.append(current)
            current, size = "", 0
        current += character
        size += width
    lines.append(current)
    return "\r\n ".join(lines)


def card(contact: Contact, version: str, identifier: str) -> str:
    lines = ["BEGIN:VCARD", f"VERSION:{version}", f"UID:{identifier}"]
    lines.append(f"FN:{escaped(contact.name())}")
    parts = [contact.family, contact.given, contact.additional, contact.prefix, contact.suffix]
    if version == "3.0" or any(parts):
        lines.append("N:" + ";".join(escaped(part) for part in parts))
    if contact.phonetic_given:
        lines.append(f"X-PHONETIC-FIRST-NAME:{escaped(contact.phonetic_given)}")
    if contact.phonetic_family:
        lines.append(f"X-PHONETIC-LAST-NAME:{escaped(contact.phonetic_family)}")
    if contact.nickname:
        lines.append(f"NICKNAME:{escaped(contact.nickname)}")
    if contact.organization:
        lines.append("ORG:" + ";".join(escaped(part) for part in (contact.organization, contact.unit) if part))
        if not any(parts) and version == "4.0":
            lines.append("KIND:org")
    if contact.title:
        lines.append(f"TITLE:{escaped(contact.title)}")
    for label, number in contact.phones:
        if version == "3.0":
            lines.append(f"TEL;TYPE={label.upper()}:{number}")
        else:
            lines.append(f"TEL;VALUE=text;TYPE={label}:{escaped(number)}")
    for label, address in contact.emails:
        lines.append(f"EMAIL;TYPE={'INTERNET,' + label.upper() if version == '3.0' else label}:{address}")
    if contact.birthday:
        lines.append(f"BDAY:{contact.birthday if version == '3.0' else contact.birthday.replace('-', '')}")
    if contact.groups:
        lines.append("CATEGORIES:" + ",".join(escaped(group) for group in contact.groups))
    if contact.note:
        lines.append(f"NOTE:{escaped(contact.note)}")
    lines.append("END:VCARD")
    return "".join(folded(line) + "\r\n" for line in lines)
