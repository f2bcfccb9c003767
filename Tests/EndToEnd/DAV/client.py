"""A client of WebDAV that shows everything: status, header fields and the parsed response."""

import base64
import http.client
import urllib.parse
import xml.etree.ElementTree as ElementTree

SPACES = {"D": "DAV:", "C": "urn:ietf:params:xml:ns:carddav", "L": "urn:ietf:params:xml:ns:caldav",
          "S": "http://calendarserver.org/ns/", "A": "http://apple.com/ns/ical/"}
DECLARED = " ".join(f'xmlns:{prefix}="{space}"' for prefix, space in SPACES.items())


def name(text):
    """Returns the name of an element such as D:href as ElementTree writes it."""
    prefix, local = text.split(":")
    return "{%s}%s" % (SPACES[prefix], local)


class Answer:
    def __init__(self, response):
        self.status = response.status
        self.fields = response.headers
        self.body = response.read()

    @property
    def text(self):
        return self.body.decode()

    @property
    def tag(self):
        return self.fields["ETag"]

    @property
    def rows(self):
        """The rows of a multistatus by href: the status, and the properties by name with their status."""
        assert self.status == 207, (self.status, self.text)
        root = ElementTree.fromstring(self.body)
        assert root.tag == name("D:multistatus")
        rows = {}
        for response in root.findall(name("D:response")):
            href = response.findtext(name("D:href"))
            assert href not in rows, f"twice: {href}"
            rows[href] = Row(response)
        return rows

    @property
    def token(self):
        return ElementTree.fromstring(self.body).findtext(name("D:sync-token"))

    @property
    def condition(self):
        """The precondition in an error, such as D:valid-sync-token."""
        root = ElementTree.fromstring(self.body)
        assert root.tag == name("D:error"), self.text
        space, local = root[0].tag[1:].split("}")
        return next(prefix for prefix, value in SPACES.items() if value == space) + ":" + local

    @property
    def explanation(self):
        """The reason for people in an error."""
        return ElementTree.fromstring(self.body).findtext(name("D:responsedescription"))


class Row:
    def __init__(self, response):
        self.status = None
        if (line := response.findtext(name("D:status"))) is not None:
            self.status = int(line.split()[1])
        self.found, self.statuses = {}, {}
        for part in response.findall(name("D:propstat")):
            status = int(part.findtext(name("D:status")).split()[1])
            for value in part.find(name("D:prop")):
                self.statuses[value.tag] = status
                if status == 200:
                    self.found[value.tag] = value

    def status_of(self, text):
        return self.statuses.get(name(text))

    def value(self, text):
        """Returns the text of a property."""
        return self.found[name(text)].text or ""

    def href(self, text):
        return self.found[name(text)].findtext(name("D:href"))

    def names(self, text):
        """Returns the names of all elements in a property."""
        return {child.tag for child in self.found[name(text)].iter()}


class Client:
    def __init__(self, service, person, password):
        self.host = service.base.removeprefix("http://")
        self.person, self.password = person, password
        self.authorization = "Basic " + base64.b64encode(f"{person}:{password}".encode()).decode()
        self.connection = None

    def ask(self, method, path, body=None, signs_in=True, **fields):
        """Sends a request. Names of header fields have underscores."""
        if self.connection is None:
            self.connection = http.client.HTTPConnection(self.host, timeout=60)
        headers = {key.replace("_", "-"): str(value) for key, value in fields.items()}
        if signs_in:
            headers.setdefault("Authorization", self.authorization)
        if isinstance(body, str):
            body = body.encode()
        try:
            self.connection.request(method, path, body, headers)
            return Answer(self.connection.getresponse())
        except (OSError, http.client.HTTPException):
            self.connection = None
            raise

    def path(self, *parts, home="addressbooks"):
        return f"/dav/{home}/{self.person}/" + "/".join(urllib.parse.quote(part) for part in parts)

    def properties(self, path, *names, depth=0):
        wanted = "".join(f"<{name}/>" for name in names)
        return self.ask(
            "PROPFIND", path, f'<D:propfind {DECLARED}><D:prop>{wanted}</D:prop></D:propfind>', Depth=depth)

    def report(self, path, kind, content, *names):
        wanted = "".join(f"<{name}/>" for name in names or ["D:getetag"])
        return self.ask("REPORT", path, f"<{kind} {DECLARED}><D:prop>{wanted}</D:prop>{content}</{kind}>", Depth=0)

    def changes(self, path, token="", limit=None):
        cut = f"<D:limit><D:nresults>{limit}</D:nresults></D:limit>" if limit else ""
        return self.report(
            path, "D:sync-collection", f"<D:sync-token>{token}</D:sync-token><D:sync-level>1</D:sync-level>{cut}")

    def put(self, path, body, kind="text/vcard; charset=utf-8", **fields):
        return self.ask("PUT", path, body, Content_Type=kind, **fields)


def card(uid, full_name, *lines, version="3.0"):
    family, given = full_name.split()[-1], " ".join(full_name.split()[:-1])
    text = ["BEGIN:VCARD", f"VERSION:{version}", f"UID:{uid}", f"FN:{full_name}", f"N:{family};{given};;;", *lines,
            "END:VCARD", ""]
    return "\r\n".join(text).encode()
