"""Signing in with a token or pairing code, and signing out."""

from playwright.sync_api import expect

from marks import only_on, signed_out


@signed_out
def test_a_token_signs_in_and_is_not_stored(visit, client):
    page = visit.open("contacts")
    page.get_by_label("Token").fill("sb_" + "x" * 43)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_contain_text("not valid")
    page.get_by_label("Token").fill(client.token)
    page.keyboard.press("Enter")
    # The requested view is shown, and no script can read the token.
    expect(page.get_by_role("heading", level=1)).to_have_text("Contacts")
    expect(visit.rows().first).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)
    # Only the name and the scopes are, so that the page can start offline.
    stored = page.evaluate("[document.cookie, Object.keys(localStorage), Object.keys(sessionStorage), localStorage.session]")
    assert stored[:3] == ["", ["session"], []] and client.token not in stored[3], stored
    assert client.token not in page.content()
    page.reload()
    expect(visit.rows().first).to_be_visible()


@signed_out
def test_a_pairing_code_works_once_and_leaves_the_address(visit, client):
    code = client.service.pairing_address("person-with-phone")
    page = visit.page
    page.goto(code)
    expect(page.get_by_role("combobox")).to_be_visible()
    assert "pair=" not in page.url
    page.get_by_role("link", name="Settings", exact=True).click()
    expect(page.get_by_text("Signed in as person-with-phone")).to_be_visible()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_label("Token")).to_be_visible()
    page.goto("about:blank")
    page.goto(code)
    expect(page.get_by_role("alert")).to_contain_text("expired or was already used")
    # The same if the page is already open.
    page.get_by_role("button", name="Dismiss").click()
    page.goto(code)
    expect(page.get_by_role("alert")).to_contain_text("expired or was already used")
    expect(page.get_by_label("Token")).to_be_visible()


@signed_out
@only_on("desktop")
def test_a_revoked_token_ends_the_session(visit, client):
    visit.sign_in(client.token)
    page = visit.open("contacts")
    expect(visit.rows().first).to_be_visible()
    identity = client.rows("/v1/tokens")[0]["id"]
    visit.field.focus()
    client.ask("DELETE", f"/v1/tokens/{identity}")
    # The end of the event stream may sign out before the next letter does, and the field is gone.
    page.keyboard.type("rio")
    expect(page.get_by_label("Token")).to_be_visible()
    assert "Rio Grande" not in page.content()


@signed_out
@only_on("phone")
def test_airports_need_no_sign_in(visit, client):
    visit.open("airports")
    visit.field.fill("heathrow")
    expect(visit.options.first).to_contain_text("Heathrow")
    visit.page.get_by_role("link", name="Find", exact=True).click()
    expect(visit.page.get_by_label("Token")).to_be_visible()


@only_on("desktop")
def test_a_pairing_code_asks_before_it_replaces_the_session(visit, client):
    page = visit.open("settings")
    own = page.get_by_text("Signed in as").inner_text()
    code = client.service.pairing_address("someone-else")
    page.goto(code)
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Use this pairing code?")
    assert "pair=" not in page.url
    dialog.get_by_role("button", name="Stay signed in").click()
    page.get_by_role("link", name="Settings", exact=True).click()
    expect(page.get_by_text(own)).to_be_visible()
    page.goto(code)
    page.get_by_role("dialog").get_by_role("button", name="Use the code").click()
    page.get_by_role("link", name="Settings", exact=True).click()
    expect(page.get_by_text("Signed in as someone-else")).to_be_visible()
    # The device is in use.
    expect(page.get_by_text("never used")).to_have_count(0)
