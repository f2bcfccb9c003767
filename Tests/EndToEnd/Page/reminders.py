"""Overdue reminders stay in every view until someone acts on them."""

import re

from playwright.sync_api import expect

from browsing import box_of
from marks import only_on


def remind(client, name, seconds=1):
    person = client.rows(f"/v1/prospects?q={name}")[0]["id"]
    client.ask("PUT", f"/v1/prospects/{person}/reminder", {"in": seconds})
    return person


def act(visit, due, name, button):
    """Acts on an overdue reminder. A phone shows only Contacted at once."""
    row = due.get_by_role("listitem").filter(has_text=name)
    if visit.size == "phone" and button != "Contacted":
        expect(row.get_by_role("button", name=button)).to_have_count(0)
        row.get_by_role("button", name=f"More actions for {name}").click()
    row.get_by_role("button", name=button).click()
    expect(due.get_by_text(name)).to_have_count(0)


def test_an_overdue_reminder_stays_until_someone_acts_on_it(visit, client):
    page = visit.open("find")
    due = page.get_by_role("region", name="Overdue reminders")
    expect(due).to_have_count(0)
    people = {name: remind(client, name) for name in ["ada", "grace", "mei"]}
    expect(due).to_contain_text("Time to contact Ada Lovelace")
    expect(due).to_contain_text("2 more reminders" if visit.size == "phone" else "1 more reminder")
    # It was delivered, and still does not disappear.
    page.wait_for_timeout(9_000)
    expect(due).to_contain_text("Time to contact Ada Lovelace")
    for view in ["Contacts", "Airports", "Activity"]:
        page.get_by_role("link", name=view, exact=True).click()
        expect(due).to_contain_text("Time to contact Ada Lovelace")
    page.reload()
    expect(due).to_contain_text("Time to contact Ada Lovelace")
    due.get_by_role("button", name=re.compile("more reminder")).click()
    expect(due.get_by_role("listitem")).to_have_count(3)

    act(visit, due, "Ada Lovelace", "Contacted")
    act(visit, due, "Grace Hopper", "In an hour")
    act(visit, due, "Mei Wang", "Dismiss reminder")
    expect(due).to_have_count(0)
    states = {row["prospect"]: row["state"] for row in client.rows("/v1/reminders")}
    assert states == {people["ada"]: "delivered", people["grace"]: "pending", people["mei"]: "cancelled"}, states
    assert client.rows("/v1/reminders?overdue=true") == []
    assert client.rows("/v1/prospects?q=ada")[0]["prospect"]["contacted"]


@only_on("phone")
def test_overdue_reminders_leave_room_on_a_phone(visit, client):
    client.ask("POST", "/v1/prospects", {"name": "Wolfeschlegelsteinhausenbergerdorff " * 3, "email": "long@name.example"})
    page = visit.open("contacts")
    expect(visit.rows().first).to_be_visible()
    before = box_of(page.locator("main .tools, main ul.rows").first)["y"]
    for name in ["wolfe", "ada", "grace"]:
        remind(client, name)
    due = page.get_by_role("region", name="Overdue reminders")
    expect(due).to_contain_text("2 more reminders")
    assert box_of(due)["height"] <= 110, box_of(due)
    assert box_of(page.locator("main .tools, main ul.rows").first)["y"] - before <= 130
    page.wait_for_function("() => document.documentElement.scrollWidth <= 360")
    toggle = due.get_by_role("button", name="More actions for")
    toggle.click()
    expect(toggle).to_have_attribute("aria-expanded", "true")
    for name in ["In an hour", "Tomorrow at nine", "Dismiss reminder"]:
        box = box_of(due.get_by_role("button", name=name))
        assert box["height"] >= 44 and box["x"] >= 0 and box["x"] + box["width"] <= 360, box
    toggle.click()
    expect(due.get_by_role("button", name="In an hour")).to_have_count(0)


@only_on("desktop")
def test_a_reminder_handled_elsewhere_disappears(visit, client):
    page = visit.open("contacts")
    due = page.get_by_role("region", name="Overdue reminders")
    person = remind(client, "ada")
    expect(due).to_contain_text("Time to contact Ada Lovelace")
    client.ask("PATCH", f"/v1/prospects/{person}", {"contacted": True})
    expect(due).to_have_count(0, timeout=5_000)


@only_on("desktop")
def test_a_page_without_the_right_neither_shows_nor_swallows_reminders(visit, client):
    person = client.rows("/v1/tokens")[0]["person"]
    visit.context.clear_cookies()
    visit.sign_in(client.service.token(person, "contacts,prospects"))
    page = visit.open("prospects")
    expect(visit.rows().first).to_be_visible()
    remind(client, "ada")
    page.wait_for_timeout(3_000)
    expect(page.get_by_role("region", name="Overdue reminders")).to_have_count(0)
    reminder = client.rows("/v1/reminders")[0]
    assert reminder["state"] == "pending" and reminder["overdue"], reminder


@only_on("desktop")
def test_a_narrow_token_sees_only_its_views(visit, client):
    person = client.rows("/v1/tokens")[0]["person"]
    visit.context.clear_cookies()
    visit.sign_in(client.service.token(person, "contacts:read"))
    page = visit.open("find")
    links = page.get_by_role("navigation").get_by_role("link")
    expect(links).to_have_text(["Find", "Contacts", "Airports", "Settings"])
    page.goto("/#/prospects")
    expect(page.get_by_role("heading", level=1)).to_have_text("Settings")
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.get_by_text("Signed in as")).to_be_visible()
    expect(page.get_by_role("heading", name="Tokens")).to_have_count(0)
    page.get_by_role("link", name="Find", exact=True).click()
    expect(visit.field).to_be_visible()
    page.wait_for_timeout(500)
    expect(page.get_by_role("alert")).to_have_count(0)
