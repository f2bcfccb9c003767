"""Hostile names and links, and the content security policy."""

from playwright.sync_api import expect

from marks import only_in_chromium, only_on, signed_out
from service import HOSTILE


@only_on("phone")
def test_hostile_names_are_shown_as_text(visit, client):
    client.ask("POST", "/v1/prospects", {"name": HOSTILE, "email": "x@example.com", "note": HOSTILE, "met": HOSTILE})
    client.ask("POST", "/v1/contacts", {"givenName": HOSTILE, "nickname": HOSTILE, "organization": HOSTILE, "phones": [{"number": "+44 7700 900888"}]})
    client.ask("PUT", "/v1/index/items", {
        "id": "x", "title": HOSTILE, "contentDescription": HOSTILE, "keywords": [HOSTILE], "url": "javascript:document.title='owned'"})
    client.ask("PUT", "/v1/me", {"name": HOSTILE})
    person = client.rows("/v1/prospects?q=onerror")[0]["id"]
    contact = client.rows("/v1/contacts?q=onerror")[0]["id"]
    for place in ["prospects", f"prospects/{person}", f"prospects/{person}/edit", f"contacts/{contact}", f"contacts/{contact}/edit",
                  "activity/item/x", "prospects/me", f"find/{HOSTILE.replace('/', '%2F')}"]:
        page = visit.open(place)
        page.wait_for_timeout(250)
        assert page.locator("img[src=x]").count() == 0, place
        # A title may name the person; a script would have replaced it.
        assert page.title() != "owned", place
    visit.open("find")
    visit.field.fill("onerror")
    expect(visit.options.first).to_contain_text("<img src=x")
    expect(visit.options.first.locator("mark").first).to_be_visible()


@only_on("desktop")
def test_a_script_url_is_never_a_link(visit, client):
    client.ask("PUT", "/v1/index/items", [
        {"id": "runs", "title": "Runs", "url": "javascript:document.title='owned'"},
        {"id": "data", "title": "Datum", "url": "data:text/html,<script>opener.document.title='owned'</script>"},
        {"id": "inside", "title": "Inside", "url": "switchboard://airport/LHR"},
    ])
    for identity in ["runs", "data"]:
        page = visit.open(f"activity/item/{identity}")
        expect(page.locator(".detail").get_by_role("heading", level=2)).to_be_visible()
        assert page.locator("a[href^='javascript:'], a[href^='data:']").count() == 0
        page.get_by_role("button", name="Open").click()
        page.wait_for_timeout(200)
        assert "owned" not in page.title() and len(visit.context.pages) == 1
    visit.open("find")
    visit.field.fill("inside")
    visit.options.filter(has_text="Inside").first.click()
    expect(visit.page.get_by_role("heading", level=2, name="London Heathrow")).to_be_visible()


@signed_out
@only_on("desktop")
def test_the_policy_forbids_markup_from_text(visit, client):
    answer = visit.page.goto("/")
    policy = answer.headers["content-security-policy"]
    assert "default-src 'self'" in policy and "unsafe" not in policy and "trusted-types" in policy
    assert "require-trusted-types-for 'script'" in policy
    threw = visit.page.evaluate("() => { try { document.body.innerHTML = '<b>'; return false } catch { return true } }")
    assert threw, "text became markup"
    tag = answer.headers["etag"]
    again = visit.context.request.get("/", headers={"If-None-Match": tag})
    assert again.status == 304
    visit.complaints.clear()


@only_in_chromium
@signed_out
@only_on("phone")
def test_the_page_is_installable_and_loads_only_its_own_origin(visit, client):
    asked = []
    visit.page.on("request", lambda request: asked.append(request.url))
    visit.page.goto("/#/airports")
    expect(visit.page.get_by_role("heading", name="Popular")).to_be_visible()
    assert all(url.startswith(client.base) for url in asked), asked
    manifest = visit.context.request.get("/manifest.webmanifest").json()
    assert manifest["display"] == "standalone" and manifest["start_url"] == "/"
    for icon in manifest["icons"]:
        assert visit.context.request.get(icon["src"]).status == 200
    session = visit.context.new_cdp_session(visit.page)
    errors = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    # Tests use private windows, which cannot install pages.
    assert [error["errorId"] for error in errors if error["errorId"] != "in-incognito"] == [], errors
