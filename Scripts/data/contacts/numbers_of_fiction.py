"""Fictitious phone numbers by region.

Where a regulator has reserved numbers for fiction they are used: 555-01xx (North America), 07700 900xxx and others of
Ofcom, the drama numbers of the Bundesnetzagentur, ARCEP's 06 39 98, ACMA's 0491 57x, PTS's 070-174 06, ComReg's 020 91.
Elsewhere the subscriber's number begins with zeros, which networks do not assign.
"""

#: Region → (country code, pattern); n stands for a digit of the serial number of the person. N begins at 1.
PATTERNS = {
    "GB": ["+44 7700 900nnn", "07700 900nnn", "+44 20 7946 0nnn", "0161 496 0nnn"],
    "US": ["+1 212 555 01nn", "(415) 555-01nn", "+1-305-555-01nn", "312.555.01nn", "+1 206 555 01nn"],
    "CA": ["+1 416 555 01nn"],
    "AU": ["+61 491 570 nnn", "0491 571 nnn"],
    "DE": ["+49 30 23125 nnn", "069 90009 nnn", "+49 171 39200 nn", "0176 040690 nn"],
    "FR": ["+33 6 39 98 0n nn", "06 39 98 1n nn", "01 99 00 1n nn"],
    "SE": ["+46 70 174 06 nn", "08-465 004 nn"],
    "AT": ["+43 660 000 0nnn"],
    "BE": ["+32 400 00 0n nn"],
    "ES": ["+34 600 000 nnn", "600 000 nnn"],
    "MX": ["+52 55 0000 0nnn"],
    "TR": ["+90 500 000 0nnn", "0500 000 0nnn"],
    "PL": ["+48 000 000 nnn"],
    "CZ": ["+420 000 000 nnn"],
    "HU": ["+36 00 000 nnn"],
    "VN": ["+84 00 000 0nnn"],
    "PT": ["+351 900 000 nnn"],
    "BR": ["+55 11 00000-0nnn"],
    "IT": ["+39 300 000 0nnn"],
    "DK": ["+45 00 00 0n nn"],
    "NO": ["+47 000 00 nnn"],
    "FI": ["+358 40 000 0nnn"],
    "IS": ["+354 000 0nnn"],
    "NL": ["+31 6 0000 0nnn"],
    "RO": ["+40 700 000 nnn"],
    "HR": ["+385 90 000 0nnn"],
    "LV": ["+371 20 000 nnn"],
    "LT": ["+370 600 00nnn"],
    "RU": ["+7 495 000-0n-nn", "8 (495) 000-1n-nn"],
    "UA": ["+380 44 000 0nnn", "044 000 1nnn"],
    "BY": ["+375 17 000-0n-nn"],
    "BG": ["+359 80 000 0nnn"],
    "RS": ["+381 60 000 0nnn"],
    "MK": ["+389 70 000 nnn"],
    "GR": ["+30 690 000 0nnn", "690 000 1nnn"],
    "GE": ["+995 500 00 0n nn"],
    "AM": ["+374 90 000nnn"],
    "IL": ["+972 50 000 0nnn", "050-000-1nnn"],
    "EG": ["+20 100 000 0nnn"],
    "SA": ["+966 50 000 0nnn"],
    "MA": ["+212 600 000nnn"],
    "LB": ["+961 70 000 nnn"],
    "IR": ["+98 900 000 0nnn"],
    "PK": ["+92 300 000 0nnn"],
    "IN": ["+91 90000 00nnn"],
    "BD": ["+880 1000 000nnn"],
    "TH": ["+66 60 000 0nnn"],
    "JP": ["+81 90-0000-0nnn", "090-0000-1nnn"],
    "CN": ["+86 100 0000 0nnn"],
    "TW": ["+886 900 000 nnn"],
    "HK": ["+852 0000 0nnn"],
    "KR": ["+82 10-0000-0nnn", "010-0000-1nnn"],
}


def number(region: str, serial: int, choice: int) -> str:
    patterns = PATTERNS[region]
    pattern = patterns[choice % len(patterns)]
    digits = str(serial).zfill(pattern.count("n"))[-pattern.count("n") :]
    for digit in digits:
        pattern = pattern.replace("n", digit, 1)
    return pattern
