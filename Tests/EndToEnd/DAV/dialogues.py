"""What clients say to the server, and what they must hear (RFC 4918, 4791, 6352, 6578)."""

import datetime
import gzip
import http.client
import pathlib
import plistlib
import random
import subprocess
import threading
import urllib.error

from client import DECLARED, Client, card, name


def test_discovery(service, client, api):
    for path in ["/.well-known/carddav", "/.well-known/caldav"]:
        for method in ["GET", "PROPFIND", "OPTIONS", "REPORT"]:
            answer = client.ask(method, path, signs_in=False)
            assert (answer.status, answer.fields["Location"]) == (301, "/dav/"), (method, path, answer.status)
    # Evolution and macOS send the first request without credentials.
    answer = client.ask("PROPFIND", "/dav/", signs_in=False)
    assert answer.status == 401 and answer.fields["WWW-Authenticate"].startswith('Basic realm="')
    for path in ["/", "/dav/", client.path("contacts") + "/"]:
        answer = client.ask("OPTIONS", path, signs_in=False)
        assert answer.status == 200
        assert {"1", "3", "addressbook", "calendar-access"} == set(answer.fields["DAV"].split(", "))
        assert {"PROPFIND", "REPORT", "PUT", "DELETE"} <= set(answer.fields["Allow"].split(", "))
    assert client.ask("GET", "/", signs_in=False).status == 200
    for path in ["/", "/dav", "/dav/", "/dav/principals/", client.path(), f"/dav/principals/{client.person}/"]:
        answer = client.properties(path, "D:current-user-principal", "D:principal-URL", "D:resourcetype", "D:displayname")
        (href, row), = answer.rows.items()
        assert href.rstrip("/") == path.rstrip("/")
        assert row.href("D:current-user-principal") == f"/dav/principals/{client.person}/"
        assert set(row.statuses.values()) == {200}, row.statuses
    row, = client.properties(
        f"/dav/principals/{client.person}/", "D:resourcetype", "C:addressbook-home-set", "L:calendar-home-set",
        "L:calendar-user-address-set", "D:nothing").rows.values()
    assert name("D:principal") in row.names("D:resourcetype")
    assert row.href("C:addressbook-home-set") == client.path()
    assert row.href("L:calendar-home-set") == client.path(home="calendars")
    assert row.status_of("D:nothing") == 404


def test_device(service, client, api):
    """The account of a device, as text, QR code and profile for iOS and macOS."""
    profile = pathlib.Path(service.folder.name) / "ana.mobileconfig"
    shown = service.device_token("Ana", "--url", service.base, "--profile", str(profile))
    lines = dict(line.split(maxsplit=1) for line in shown.splitlines()[-4:])
    assert (lines["address"], lines["user"]) == (service.base, "Ana") and "█" in shown
    assert profile.stat().st_mode & 0o077 == 0
    content = plistlib.loads(profile.read_bytes())
    assert content["PayloadType"] == "Configuration"
    for account, kind in zip(content["PayloadContent"], ["CardDAV", "CalDAV"], strict=True):
        assert account["PayloadType"] == f"com.apple.{kind.lower()}.account" and account[kind + "UseSSL"] is False
        assert f"{account[kind + 'HostName']}:{account[kind + 'Port']}" == client.host
        device = Client(service, account[kind + "Username"], account[kind + "Password"])
        assert device.properties("/", "D:current-user-principal").status == 207
    assert lines["password"] == content["PayloadContent"][0]["CardDAVPassword"]
    try:
        service.device_token("Ana", "--url", service.base, "--profile", str(profile))
    except subprocess.CalledProcessError as error:
        assert "already exists" in error.stderr
    else:
        raise AssertionError("a file was replaced")
    # A password that nobody would know is not created.
    count = len(api.rows("/v1/tokens"))
    try:
        service.device_token("Ana", "--url", service.base, "--profile", "/missing/ana.mobileconfig")
    except subprocess.CalledProcessError as error:
        assert "cannot write" in error.stderr and len(api.rows("/v1/tokens")) == count
    else:
        raise AssertionError("there is no such folder")
    # Any name of a person serves.
    for odd in ["O/a b:c", "Zoë %2F", ".."]:
        device = Client(service, odd, service.device_token(odd))
        row, = device.properties("/", "C:addressbook-home-set").rows.values()
        rows = device.properties(row.href("C:addressbook-home-set"), "D:resourcetype", depth=1).rows
        assert len(rows) == 3, (odd, rows)


def test_collections(service, client, api):
    rows = client.properties(client.path(), "D:resourcetype", depth=1).rows
    assert set(rows) == {client.path(), client.path("contacts") + "/", client.path("prospects") + "/"}
    rows = client.properties(client.path(home="calendars"), "D:resourcetype", depth=1).rows
    assert set(rows) == {client.path(home="calendars"), client.path("reminders", home="calendars") + "/"}
    common = ["D:resourcetype", "D:displayname", "D:current-user-privilege-set", "D:owner", "D:supported-report-set",
              "D:sync-token", "S:getctag"]
    row, = client.properties(
        client.path("contacts") + "/", *common, "C:supported-address-data", "C:max-resource-size", "L:calendar-color").rows.values()
    assert name("C:addressbook") in row.names("D:resourcetype")
    assert {name("D:write"), name("D:bind"), name("D:unbind")} <= row.names("D:current-user-privilege-set")
    assert {name("D:sync-collection"), name("C:addressbook-multiget"), name("C:addressbook-query")} <= row.names("D:supported-report-set")
    assert ":" in row.value("D:sync-token") and row.value("S:getctag")
    assert int(row.value("C:max-resource-size")) >= 2_000_000
    assert {name(text) for text in common} <= set(row.found) and row.status_of("L:calendar-color") == 404
    row, = client.properties(client.path("prospects") + "/", "D:current-user-privilege-set").rows.values()
    assert name("D:read") in row.names("D:current-user-privilege-set")
    assert not any("write" in one for one in row.names("D:current-user-privilege-set"))
    row, = client.properties(
        client.path("reminders", home="calendars") + "/", *common, "L:supported-calendar-component-set",
        "L:supported-calendar-data", "L:calendar-timezone", "A:calendar-color").rows.values()
    assert name("L:calendar") in row.names("D:resourcetype")
    assert row.found[name("L:supported-calendar-component-set")][0].attrib == {"name": "VTODO"}
    assert {name("D:write-content"), name("D:unbind")} <= row.names("D:current-user-privilege-set")
    assert name("D:bind") not in row.names("D:current-user-privilege-set")
    assert "BEGIN:VTIMEZONE" in row.value("L:calendar-timezone")
    for body in ["", f"<D:propfind {DECLARED}><D:allprop/></D:propfind>", f"<D:propfind {DECLARED}><D:propname/></D:propfind>"]:
        row, = client.ask("PROPFIND", client.path("contacts") + "/", body, Depth=0).rows.values()
        assert name("D:resourcetype") in row.found
    answer = client.properties(client.path("contacts") + "/", "D:resourcetype", depth="infinity")
    assert (answer.status, answer.condition) == (403, "D:propfind-finite-depth")


def test_access(service, client, api):
    reader = Client(service, client.person, service.token(client.person, "contacts:read"))
    path = client.path("contacts", "a.vcf")
    answer = reader.put(path, card("a", "Ana Example"))
    assert (answer.status, answer.condition) == (403, "D:need-privileges")
    row, = reader.properties(client.path("contacts") + "/", "D:current-user-privilege-set").rows.values()
    assert name("D:write") not in row.names("D:current-user-privilege-set")
    # Without a scope, there is no home.
    row, = reader.properties("/dav/", "L:calendar-home-set", "C:addressbook-home-set").rows.values()
    assert row.status_of("L:calendar-home-set") == 404 and row.status_of("C:addressbook-home-set") == 200
    answer = reader.properties(client.path("reminders", home="calendars") + "/", "D:resourcetype")
    assert (answer.status, answer.condition) == (403, "D:need-privileges")
    service.token("Someone")
    assert client.properties("/dav/addressbooks/Someone/contacts/", "D:resourcetype").status == 404
    assert client.ask("PUT", client.path("prospects", "x.vcf"), card("x", "X Y"), Content_Type="text/vcard").condition == "D:need-privileges"
    # A password for a telephone opens nothing else.
    assert client.ask("GET", "/v1/contacts").status == 401
    wrong = Client(service, client.person, "wrong")
    assert wrong.ask("PROPFIND", "/dav/").status == 401
    for authorization in ["Basic", "Basic %%%", "Basic " + "QQ" * 5_000, "Digest x"]:
        assert client.ask("PROPFIND", "/dav/", Authorization=authorization).status == 401


def test_writing(service, client, api):
    path = client.path("contacts", "ä b.vcf")
    first = card("u-1", "Ana Example", "item1.TEL:+4930123456", "item1.X-ABLabel:Boat", "X-ODD;A=\"b;c\":d\\,e")
    created = client.put(path, first, If_None_Match="*")
    assert created.status == 201 and created.tag.startswith('"')
    assert client.put(path, first, If_None_Match="*").status == 412
    read = client.ask("GET", path)
    assert (read.body, read.tag) == (first, created.tag) and read.fields["Content-Type"].startswith("text/vcard")
    packed = client.ask("GET", path, Accept_Encoding="gzip")
    assert packed.tag == created.tag
    assert (gzip.decompress(packed.body) if packed.fields["Content-Encoding"] == "gzip" else packed.body) == first
    head = client.ask("HEAD", path)
    assert (head.status, head.tag, head.body) == (200, created.tag, b"")
    assert client.ask("GET", path, If_None_Match=created.tag).status == 304
    row, = client.properties(path, "D:getetag", "D:getcontentlength", "D:getcontenttype", "D:resourcetype", "D:getlastmodified").rows.values()
    assert row.value("D:getetag") == created.tag and int(row.value("D:getcontentlength")) == len(first)
    # An edit elsewhere changes only its line.
    person = api.rows("/v1/contacts?q=ana")[0]
    api.ask("PATCH", f"/v1/contacts/{person['id']}", {"title": "Captain"})
    edited = client.ask("GET", path)
    assert edited.tag != created.tag
    assert [line for line in edited.text.split("\r\n") if "Captain" not in line and not line.startswith("REV")] == first.decode().split("\r\n")
    assert client.put(path, first, If_Match=created.tag).status == 412
    second = first.replace(b"END:VCARD", b"NOTE:new\r\nEND:VCARD")
    replaced = client.put(path, second, If_Match=f'"no", {edited.tag}')
    assert replaced.status == 204 and client.ask("GET", path).body == second
    assert api.ask("GET", f"/v1/contacts/{person['id']}")["contact"]["note"] == "new"
    # A UID belongs to one card.
    other = client.put(client.path("contacts", "other.vcf"), card("u-1", "Ben Example"))
    assert (other.status, other.condition) == (409, "C:no-uid-conflict") and "%20b.vcf" in other.text
    for bad, condition in [(b"hello", "C:valid-address-data"), (b"", "C:valid-address-data"), (first + card("u-3", "C D"), "C:valid-address-data"),
                           (card("u-4", "E F").replace(b"UID:u-4\r\n", b""), "C:valid-address-data")]:
        answer = client.put(client.path("contacts", "bad.vcf"), bad)
        assert (answer.status, answer.condition) == (403, condition), (bad, answer.status, answer.text)
    answer = client.put(client.path("contacts", "bad.vcf"), card("u-5", "G H", "NOTE:" + "x" * 70_000))
    assert (answer.status, answer.condition) == (403, "C:valid-address-data") and "note" in answer.explanation, answer.text
    answer = client.put(client.path("contacts", "bad.vcf"), first, kind="image/png")
    assert (answer.status, answer.condition) == (403, "C:supported-address-data")
    assert client.ask("DELETE", path, If_Match=created.tag).status == 412
    assert client.ask("DELETE", path).status == 204
    assert client.ask("DELETE", path).status == 404 and client.ask("GET", path).status == 404
    # Removed contacts can be restored, with their cards.
    assert api.ask("POST", f"/v1/contacts/{person['id']}/restore")["contact"]["note"] == "new"
    assert client.ask("GET", path).body == second


def test_groups(service, client, api):
    assert client.put(client.path("contacts", "kin.vcf"), card("kin-1", "Kim Kin")).status == 201
    before = len(api.rows("/v1/contacts"))
    for number, line in enumerate(["KIND:group", "X-ADDRESSBOOKSERVER-KIND:group"]):
        path = client.path("contacts", f"group{number}.vcf")
        group = card(f"g-{number}", f"Family {number}", line, "MEMBER:urn:uuid:kin-1")
        assert client.put(path, group).status == 201
        assert client.ask("GET", path).body == group
    assert len(api.rows("/v1/contacts")) == before
    kim, = api.rows("/v1/contacts?q=kin")
    assert kim["contact"]["groups"] == ["Family 0", "Family 1"], kim
    # Leaving a group on the page takes the member out of its card.
    api.ask("PATCH", f"/v1/contacts/{kim['id']}", {"groups": ["Family 0"]})
    assert b"MEMBER" not in client.ask("GET", client.path("contacts", "group1.vcf")).body
    apple = client.ask("GET", client.path("contacts", "group0.vcf"), Accept="text/vcard; version=4.0").text
    assert "\r\nKIND:group\r\nMEMBER:urn:uuid:kin-1\r\n" in apple and "ADDRESSBOOKSERVER" not in apple, apple
    rows = client.properties(client.path("contacts") + "/", "D:getetag", depth=1).rows
    assert client.path("contacts", "group0.vcf") in rows
    assert client.ask("DELETE", client.path("contacts", "group0.vcf")).status == 204


def test_changes(service, client, api):
    book = client.path("contacts") + "/"
    for number in range(7):
        assert client.put(client.path("contacts", f"c{number}.vcf"), card(f"c{number}", f"Person {number}")).status == 201
    everything = client.changes(book)
    assert all(row.status != 404 for row in everything.rows.values())
    assert len(client.changes(book, everything.token).rows) == 0
    client.put(client.path("contacts", "c1.vcf"), card("c1", "Person Changed"))
    client.ask("DELETE", client.path("contacts", "c2.vcf"))
    added = api.ask("POST", "/v1/contacts", {"name": "Made Elsewhere"})
    changes = client.changes(book, everything.token)
    identifier = (added.get("contact") or added)["id"]
    assert {href: row.status for href, row in changes.rows.items()} == {
        client.path("contacts", "c1.vcf"): None, client.path("contacts", "c2.vcf"): 404,
        client.path("contacts", identifier + ".vcf"): None}
    # With a limit, the token continues where the response ends, and nothing is lost.
    for start in ["", everything.token]:
        token, seen, rounds = start, {}, 0
        while True:
            part = client.changes(book, token, limit=2)
            rows = part.rows
            is_cut = rows.pop(book, None)
            assert len(rows) <= 2
            seen.update({href: row.status for href, row in rows.items()})
            token, rounds = part.token, rounds + 1
            if is_cut is None:
                break
            assert is_cut.status == 507
        whole = client.changes(book, start)
        assert seen == {href: row.status for href, row in whole.rows.items()} and rounds > 1, (start, seen)
        assert len(client.changes(book, token).rows) == 0
    # The API lists the same changes.
    page = api.ask("GET", "/v1/contacts?changedSince=&limit=3")
    names = [row["title"] for row in page["results"]]
    while not page["isComplete"]:
        page = api.ask("GET", f"/v1/contacts?limit=3&changedSince={page['token']}")
        names += [row["title"] for row in page["results"]]
    assert sorted(names) == sorted(["Person 0", "Person Changed", *(f"Person {number}" for number in range(3, 7)), "Made Elsewhere"])
    api.ask("DELETE", f"/v1/contacts/{identifier}")
    page = api.ask("GET", f"/v1/contacts?changedSince={page['token']}")
    assert (page["results"], page["removed"], page["isComplete"]) == ([], [identifier], True)
    try:
        api.ask("GET", "/v1/contacts?changedSince=&q=ana")
    except urllib.error.HTTPError as error:
        assert error.code == 400
    else:
        raise AssertionError("a query of changes was ignored")
    for unknown in ["data:,1-2-3", "http://example.com/ns/sync/1", "nonsense", "data:,99999999-1"]:
        answer = client.changes(book, unknown)
        assert (answer.status, answer.condition) == (403, "D:valid-sync-token"), (unknown, answer.status)


def check_card_data(client, book, href, telephone):
    """A report may ask for a version and for some properties of cards (RFC 6352, 10.4), GET for a version (RFC 6352, 5.1.1)."""
    path = client.path("contacts", "n.vcf")
    stored = client.ask("GET", path)
    assert b"VERSION:3.0" in stored.body and stored.tag

    def data(attributes, content=""):
        wanted = f"<D:prop><D:getetag/><C:address-data {attributes}>{content}</C:address-data></D:prop>"
        answer = client.ask("REPORT", book, f"<C:addressbook-multiget {DECLARED}>{wanted}<D:href>{href}</D:href></C:addressbook-multiget>", Depth=0)
        if answer.status == 207:
            assert answer.rows[href].value("D:getetag") == stored.tag
            return answer.rows[href].value("C:address-data").split("\r\n")
        return answer

    plain = stored.text.split("\r\n")
    assert data("") == data('content-type="text/vcard" version="3.0"') == plain, (data(""), plain)
    newer = data('version="4.0"')
    assert newer[1] == "VERSION:4.0" and {"UID:n", "FN:Nina Simple", telephone.replace(":", ";TYPE=voice:")} <= set(newer), newer
    assert data("", '<C:prop name="tel"/><C:prop name="FN" novalue="yes"/>') == ["BEGIN:VCARD", "VERSION:3.0", "FN:", telephone, "END:VCARD", ""]
    for unknown in ['version="2.1"', 'content-type="text/plain"']:
        answer = data(unknown)
        assert (answer.status, answer.condition) == (403, "C:supported-address-data"), answer.text
    for accepted, version in [("text/vcard", "3.0"), ("text/vcard; version=4.0", "4.0"), ('text/vcard;version="4.0", */*;q=0.1', "3.0"),
                              ("text/vcard;version=4.0, text/vcard;version=3.0;q=0.5", "3.0"), ("application/json", "3.0")]:
        answer = client.ask("GET", path, Accept=accepted)
        assert f"VERSION:{version}".encode() in answer.body, (accepted, answer.text)
        assert (answer.tag == stored.tag) == (version == "3.0")


def test_reports(service, client, api):
    book = client.path("contacts") + "/"
    client.put(client.path("contacts", "m.vcf"), card("m", "Müller Ärger", "EMAIL;TYPE=work:m@example.org", "NICKNAME:Mü"))
    client.put(client.path("contacts", "n.vcf"), card("n", "Nina Simple", "TEL:+4930987"))
    hrefs = [client.path("contacts", "m.vcf"), client.path("contacts", "gone.vcf"), "", "/elsewhere",
             f"http://{client.host}" + client.path("contacts", "n.vcf")]
    rows = client.report(book, "C:addressbook-multiget", "".join(f"<D:href>{href}</D:href>" for href in hrefs), "D:getetag", "C:address-data").rows
    assert rows[hrefs[0]].value("C:address-data").startswith("BEGIN:VCARD") and rows[hrefs[0]].value("D:getetag")
    assert [rows[href].status for href in hrefs[1:4]] == [404] * 3 and "Nina" in rows[hrefs[4]].value("C:address-data")

    check_card_data(client, book, hrefs[4], "TEL:+4930987")

    def found(content):
        answer = client.report(book, "C:addressbook-query", content)
        assert answer.status == 207, answer.text
        return {href.rsplit("/", 1)[-1] for href in answer.rows}

    def matching(property, text, attributes=""):
        return found(f'<C:filter><C:prop-filter name="{property}"><C:text-match {attributes}>{text}</C:text-match></C:prop-filter></C:filter>')

    everything = found("")
    assert {"m.vcf", "n.vcf"} <= everything and found("<C:filter/>") == everything
    assert matching("FN", "müller") == {"m.vcf"} and matching("FN", "MÜLLER", 'match-type="starts-with"') == {"m.vcf"}
    assert matching("FN", "nina simple", 'match-type="equals"') == {"n.vcf"} and matching("FN", "nina", 'match-type="equals"') == set()
    assert matching("FN", "nina", 'collation="i;octet"') == set() and matching("FN", "SIMPLE", 'match-type="ends-with"') == {"n.vcf"}
    assert matching("FN", "nina", 'negate-condition="yes"') == everything - {"n.vcf"}
    assert "m.vcf" not in found('<C:filter><C:prop-filter name="NICKNAME"><C:is-not-defined/></C:prop-filter></C:filter>')
    assert found('<C:filter><C:prop-filter name="EMAIL"><C:param-filter name="TYPE"><C:text-match>work</C:text-match></C:param-filter></C:prop-filter></C:filter>') == {"m.vcf"}
    both = '<C:prop-filter name="TEL"/><C:prop-filter name="NICKNAME"/>'
    assert found(f'<C:filter test="allof">{both}</C:filter>') == set() and found(f'<C:filter test="anyof">{both}</C:filter>') >= {"m.vcf", "n.vcf"}
    answer = client.report(book, "C:addressbook-query", "<C:limit><C:nresults>1</C:nresults></C:limit>")
    assert answer.rows.pop(book).status == 507
    answer = client.report(book, "C:addressbook-query", '<C:filter><C:prop-filter name="FN"><C:text-match collation="i;klingon">x</C:text-match></C:prop-filter></C:filter>')
    assert (answer.status, answer.condition) == (403, "C:supported-collation")
    for kind in ["D:expand-property", "L:calendar-query"]:
        answer = client.report(book, kind, "")
        assert (answer.status, answer.condition) == (403, "D:supported-report")


def test_refusals(service, client, api):
    book = client.path("contacts") + "/"
    for method in ["MKCOL", "MKCALENDAR"]:
        for path in [book + "new/", client.path("new") + "/", client.path("contacts", "new.vcf"), book]:
            assert client.ask(method, path).status == 403, (method, path)
    for method in ["COPY", "MOVE"]:
        assert client.ask(method, book + "new/").status in (403, 404), method
    for method in ["LOCK", "UNLOCK", "POST", "PATCH"]:
        answer = client.ask(method, book)
        assert answer.status == 405 and "PROPFIND" in answer.fields["Allow"], (method, answer.status)
    assert client.ask("DELETE", book).status == 403 and client.ask("PUT", book, b"x", Content_Type="text/vcard").status == 405
    answer = client.ask("PROPPATCH", book, f"<D:propertyupdate {DECLARED}><D:set><D:prop><D:resourcetype/><D:displayname>x</D:displayname></D:prop></D:set></D:propertyupdate>")
    row, = answer.rows.values()
    assert set(row.statuses.values()) == {403}
    bomb = '<!DOCTYPE a [<!ENTITY b "cccccccc"><!ENTITY d "&b;&b;&b;">]>'
    deep, wide = "<a>" * 5_000 + "</a>" * 5_000, "<a>" + "<b/>" * 100_000 + "</a>"
    for body in [bomb + f"<D:propfind {DECLARED}><D:prop><D:getetag/></D:prop></D:propfind>", "<a", "hello", deep, wide,
                 f"<D:propfind {DECLARED}/>", "<propfind/>", "\0", "<?xml version='1.0' encoding='utf-32'?><a/>"]:
        for method in ["PROPFIND", "REPORT", "PROPPATCH"]:
            assert client.ask(method, book, body, Depth=0).status in (400, 403, 413), (method, body[:40])
    for path in ["..%2f..%2fetc", "%00.vcf", "%2e%2e", ".", "a%2fb.vcf", "%ff.vcf"]:
        for method in ["GET", "PUT", "DELETE"]:
            assert client.ask(method, book + path, card("p", "P Q") if method == "PUT" else None, Content_Type="text/vcard").status in (403, 404, 405), (method, path)


def test_hostile_xml(service, client, api):
    """Changed bytes of valid requests get an answer, and never a server error."""
    chance = random.Random(48)
    book = client.path("contacts") + "/"
    client.put(client.path("contacts", "h.vcf"), card("h", "Hostile Card"))
    valid = [
        f'<D:propfind {DECLARED}><D:prop><D:getetag/><C:address-data/></D:prop></D:propfind>',
        f'<D:sync-collection {DECLARED}><D:sync-token/><D:sync-level>1</D:sync-level><D:prop><D:getetag/></D:prop></D:sync-collection>',
        f'<C:addressbook-query {DECLARED}><D:prop><D:getetag/></D:prop><C:filter><C:prop-filter name="FN"><C:text-match>x</C:text-match></C:prop-filter></C:filter></C:addressbook-query>',
        f'<L:calendar-query {DECLARED}><L:filter><L:comp-filter name="VCALENDAR"><L:comp-filter name="VTODO"><L:time-range start="20260101T000000Z"/></L:comp-filter></L:comp-filter></L:filter></L:calendar-query>',
    ]
    for number in range(600):
        body = bytearray(chance.choice(valid).encode())
        for _ in range(chance.randint(1, 6)):
            place = chance.randrange(len(body))
            match chance.randrange(3):
                case 0: body[place] = chance.randrange(256)
                case 1: del body[place:place + chance.randint(1, 20)]
                case _: body[place:place] = bytes(body[chance.randrange(len(body)):][:chance.randint(1, 40)])
            if not body:
                break
        method = chance.choice(["PROPFIND", "REPORT", "PROPPATCH"])
        path = chance.choice([book, client.path("reminders", home="calendars") + "/", book + "h.vcf"])
        status = client.ask(method, path, bytes(body), Depth=chance.choice([0, 1])).status
        assert status < 500, (number, method, path, status, bytes(body))


def test_tasks(service, client, api):
    prospect = api.ask("POST", "/v1/prospects", {"name": "Grace Hopper", "email": "grace@navy.example"})
    prospect = (prospect.get("prospect") or prospect)["id"]
    due = (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=3)).replace(microsecond=0)
    api.ask("PUT", f"/v1/prospects/{prospect}/reminder", {"at": due.isoformat().replace("+00:00", "Z")})
    folder = client.path("reminders", home="calendars") + "/"
    start = client.changes(folder)
    (href, row), = start.rows.items()
    assert href.endswith(".ics")
    read = client.ask("GET", href)
    text = read.text
    assert read.fields["Content-Type"].startswith("text/calendar") and read.tag == row.value("D:getetag")
    for line in ["BEGIN:VTODO", "SUMMARY:", "DUE:" + due.strftime("%Y%m%dT%H%M%SZ"), "STATUS:NEEDS-ACTION", "BEGIN:VALARM"]:
        assert line in text, (line, text)
    assert "Grace Hopper" in text and client.ask("GET", href).text == text
    rows = client.report(folder, "L:calendar-multiget", f"<D:href>{href}</D:href>", "D:getetag", "L:calendar-data").rows
    assert rows[href].value("L:calendar-data").replace("\n", "\r\n").replace("\r\r", "\r") == text

    def query(inner):
        content = f'<L:filter><L:comp-filter name="VCALENDAR"><L:comp-filter name="VTODO">{inner}</L:comp-filter></L:comp-filter></L:filter>'
        return set(client.report(folder, "L:calendar-query", content).rows)

    day = lambda days: (due + datetime.timedelta(days=days)).strftime("%Y%m%dT%H%M%SZ")
    assert query("") == {href} and query(f'<L:time-range start="{day(-1)}" end="{day(1)}"/>') == {href}
    assert query(f'<L:time-range start="{day(1)}" end="{day(2)}"/>') == set()
    assert query('<L:prop-filter name="COMPLETED"><L:is-not-defined/></L:prop-filter>') == {href}

    def is_contacted():
        return api.ask("GET", f"/v1/prospects/{prospect}")["prospect"]["contacted"]

    # Ticking off marks the prospect as contacted, whichever property a client sets; what it adds stays.
    done = text.replace("STATUS:NEEDS-ACTION", "STATUS:COMPLETED").replace("END:VALARM", "X-MOZ-LASTACK:x\r\nEND:VALARM")
    answer = client.put(href, done, kind="text/calendar", If_Match=read.tag)
    assert answer.status == 204, answer.text
    assert is_contacted()
    stored = client.ask("GET", href).text
    assert "X-MOZ-LASTACK:x" in stored and "STATUS:COMPLETED" in stored
    assert set(client.changes(folder, start.token).rows) == {href}
    assert client.put(href, text, kind="text/calendar").status == 204 and not is_contacted()
    # Contacted elsewhere completes the task, and moving it moves the reminder.
    api.ask("PATCH", f"/v1/prospects/{prospect}", {"contacted": True})
    stored = client.ask("GET", href).text
    assert "STATUS:COMPLETED" in stored and "PERCENT-COMPLETE:100" in stored and "COMPLETED:" in stored
    later = text.replace("DUE:" + due.strftime("%Y%m%dT%H%M%SZ"), "DUE:" + day(4))
    assert client.put(href, later, kind="text/calendar").status == 204 and not is_contacted()
    pending = api.rows("/v1/reminders?state=pending")
    assert [row["dueAt"][:19] for row in pending] == [(due + datetime.timedelta(days=4)).isoformat()[:19]], pending
    # New tasks come from reminders.
    answer = client.put(folder + "new.ics", text.replace("UID:", "UID:x"), kind="text/calendar", If_None_Match="*")
    assert (answer.status, answer.condition) == (403, "D:need-privileges"), (answer.status, answer.text)
    for body in ["hello", "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n", text.replace("VTODO", "VEVENT")]:
        answer = client.put(href, body, kind="text/calendar")
        assert (answer.status, answer.condition) == (403, "L:valid-calendar-data"), (body, answer.status)
    token = client.changes(folder).token
    assert client.ask("DELETE", href).status == 204 and api.rows("/v1/reminders?state=pending") == []
    assert {href: row.status for href, row in client.changes(folder, token).rows.items()} == {href: 404}


def test_prospects(service, client, api):
    token = client.changes(client.path("prospects") + "/").token
    made = api.ask("POST", "/v1/prospects", {"name": "Hedy Lamarr", "email": "hedy@films.example"})
    identifier = (made.get("prospect") or made)["id"]
    (href, row), = client.changes(client.path("prospects") + "/", token).rows.items()
    assert href == client.path("prospects", identifier + ".vcf")
    text = client.ask("GET", href).text
    assert "FN:Hedy Lamarr" in text and "hedy@films.example" in text
    token = client.changes(client.path("prospects") + "/").token
    api.ask("DELETE", f"/v1/prospects/{identifier}")
    assert {href: row.status for href, row in client.changes(client.path("prospects") + "/", token).rows.items()} == {href: 404}


def test_bodies(service, client, api):
    """Bodies in chunks, after 100 Continue, and too large ones."""
    path = client.path("contacts", "chunks.vcf")
    body = card("chunks", "In Chunks")
    answer = client.ask("PUT", path, iter([body[:20], body[20:]]), Content_Type="text/vcard")
    assert answer.status == 201 and client.ask("GET", path).body == body
    answer = client.ask("PROPFIND", client.path("contacts") + "/", b" " * 3_000_000)
    assert answer.status == 413
    client.connection = None
    photo = card("photo", "With Photo", "PHOTO;ENCODING=b;TYPE=JPEG:" + "/9j/" * 700_000)
    assert client.put(client.path("contacts", "photo.vcf"), photo).status == 201
    assert client.ask("GET", client.path("contacts", "photo.vcf")).body == photo


def test_kill(service, client, api):
    """Five clients write while the server is killed: what was acknowledged is there, and the token continues."""
    book = client.path("contacts") + "/"
    token = client.changes(book).token
    acknowledged, lock = {}, threading.Lock()

    def write(number):
        writer = Client(service, client.person, client.password)
        try:
            for count in range(10_000):
                body = card(f"k{number}-{count}", f"Kill {number} {count}")
                path = client.path("contacts", f"k{number}-{count}.vcf")
                if writer.put(path, body).status == 201:
                    with lock:
                        acknowledged[path] = body
        except (OSError, http.client.HTTPException):
            pass  # The server was killed.

    writers = [threading.Thread(target=write, args=[number]) for number in range(5)]
    for writer in writers:
        writer.start()
    while len(acknowledged) < 100:
        threading.Event().wait(0.01)
    service.kill()
    for writer in writers:
        writer.join()
    service.__enter__()
    client.__init__(service, client.person, client.password)
    changed = client.changes(book, token).rows
    assert set(acknowledged) <= set(changed), "a card was lost"
    for path, body in list(acknowledged.items())[-50:]:
        assert client.ask("GET", path).body == body
    api.base = service.base


def test_restore(service, client, api):
    """After a restore, tokens are unknown, so clients start anew; what they have and the backup has not, they send again."""
    book = client.path("contacts") + "/"
    kept = card("kept", "In Backup")
    client.put(client.path("contacts", "kept.vcf"), kept)
    backup = service.back_up()
    client.put(client.path("contacts", "later.vcf"), card("later", "After Backup"))
    token = client.changes(book).token
    service.restore(backup)
    client.__init__(service, client.person, client.password)
    api.base = service.base
    answer = client.changes(book, token)
    assert (answer.status, answer.condition) == (403, "D:valid-sync-token")
    everything = client.changes(book)
    assert client.path("contacts", "kept.vcf") in everything.rows and client.path("contacts", "later.vcf") not in everything.rows
    assert client.ask("GET", client.path("contacts", "kept.vcf")).body == kept
    assert client.put(client.path("contacts", "later.vcf"), card("later", "After Backup"), If_None_Match="*").status == 201


TESTS = [test_discovery, test_device, test_collections, test_access, test_writing, test_groups, test_changes, test_reports, test_refusals,
         test_hostile_xml, test_tasks, test_prospects, test_bodies, test_kill, test_restore]
