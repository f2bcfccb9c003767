"""After a fair: several rows at once, the people of a day, the times of reminders, and what a person's page begins with."""

import csv
import datetime
import io
import re

from playwright.sync_api import expect

from browsing import menu_of, wait_for
from marks import only_on
from service import today


def select(visit, *names):
    """Selects rows by their names. In Prospects, the menu begins it."""
    if "#/prospects" in visit.page.url:
        menu_of(visit.page, ".tools")
    visit.page.get_by_role("button", name="Select", exact=True).click()
    for name in names:
        visit.rows().filter(has_text=name).get_by_role("checkbox").click()


def bar(page):
    return page.get_by_role("toolbar", name="Actions on the selected rows")


def test_several_contacts_are_removed_and_brought_back_at_once(visit, client):
    page = visit.open("contacts")
    first = [row["title"] for row in client.rows("/v1/contacts?limit=4")]
    expect(visit.rows().first).to_be_visible()
    select(visit, first[1], first[2])
    expect(bar(page)).to_contain_text("2 selected")
    # A tap on a row selects it, too.
    visit.rows().filter(has_text=first[3]).get_by_role("link").click()
    expect(bar(page)).to_contain_text("3 selected")
    assert "/contacts/" not in page.url
    bar(page).get_by_role("button", name="Remove").click()
    expect(bar(page)).to_be_hidden()
    expect(page.get_by_text("3 contacts removed")).to_be_visible()
    expect(visit.status).to_have_text("340 contacts")
    page.get_by_role("button", name="Undo").click()
    expect(visit.status).to_have_text("343 contacts")
    select(visit, first[1], first[2])
    bar(page).get_by_role("button", name="Remove").click()
    page.get_by_role("button", name="Close this message").click()
    wait_for(page, lambda: client.ask("GET", "/v1/contacts?limit=1")["total"] == 341)


@only_on("desktop")
def test_groups_that_were_added_elsewhere_stay(visit, client):
    # The list does not learn of the change.
    visit.page.route("**/v1/events*", lambda route: route.abort())
    page = visit.open("contacts")
    expect(visit.rows().first).to_be_visible()
    row = client.rows("/v1/contacts?limit=2")[1]
    visit.rows().nth(1).get_by_role("link").focus()
    page.keyboard.press("x")
    client.ask("PATCH", f"/v1/contacts/{row['id']}", {"groups": ["Choir"]})
    page.keyboard.press("g")
    page.get_by_role("dialog").get_by_label("Group").fill("FOSDEM")
    page.keyboard.press("Enter")
    expect(page.get_by_text("added to “FOSDEM”")).to_be_visible()
    groups = lambda: set(client.ask("GET", f"/v1/contacts/{row['id']}")["contact"].get("groups", []))
    assert groups() == {"Choir", "FOSDEM"}, groups()
    page.get_by_role("button", name="Undo").click()
    wait_for(page, lambda: groups() == {"Choir"})


@only_on("desktop")
def test_several_contacts_get_a_group_by_keys(visit, client):
    page = visit.open("contacts")
    expect(visit.rows().first).to_be_visible()
    visit.rows().nth(1).get_by_role("link").focus()
    page.keyboard.press("x")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("x")
    expect(bar(page)).to_contain_text("2 selected")
    page.keyboard.press("g")
    page.get_by_role("dialog").get_by_label("Group").fill("FOSDEM")
    page.keyboard.press("Enter")
    expect(page.get_by_text("2 contacts added to “FOSDEM”")).to_be_visible()
    assert client.ask("GET", "/v1/contacts?group=FOSDEM")["total"] == 2
    page.get_by_role("button", name="Undo").click()
    wait_for(page, lambda: "FOSDEM" not in [row["name"] for row in client.rows("/v1/contacts/groups")])
    # Escape ends the selection.
    visit.rows().nth(1).get_by_role("link").focus()
    page.keyboard.press("x")
    expect(bar(page)).to_be_visible()
    page.keyboard.press("Escape")
    expect(bar(page)).to_be_hidden()


@only_on("desktop")
def test_all_contacts_of_a_list_are_selected_and_exported(visit, client):
    page = visit.open("contacts")
    expect(visit.rows().first).to_be_visible()
    page.get_by_role("button", name="Select", exact=True).click()
    bar(page).get_by_role("button", name="Select all").click()
    expect(bar(page)).to_contain_text("343 selected")
    with page.expect_download() as download:
        bar(page).get_by_role("button", name="CSV").click()
    rows = list(csv.reader(io.StringIO(download.value.path().read_text())))
    assert len(rows) == 344 and any("Rio Grande" in row and "+1 915 555 0178" in row for row in rows), rows[:3]


def test_several_prospects_are_contacted_and_reminded_of(visit, client):
    people = {row["title"]: row["id"] for row in client.rows("/v1/prospects")}
    client.ask("PUT", f"/v1/prospects/{people['Grace Hopper']}/reminder", {"in": 7200})
    page = visit.open("prospects")
    expect(visit.rows()).to_have_count(4)
    select(visit, "Ada Lovelace", "Grace Hopper")
    bar(page).get_by_role("button", name="Contacted").click()
    expect(page.get_by_text("2 people were contacted")).to_be_visible()
    assert client.rows("/v1/reminders?state=pending") == []
    # One undo brings back both, with the reminder that was cancelled.
    page.get_by_role("button", name="Undo").click()
    wait_for(page, lambda: not any(row["prospect"]["contacted"] for row in client.rows("/v1/prospects")))
    wait_for(page, lambda: len(client.rows("/v1/reminders?state=pending")) == 1)
    select(visit, "Ada Lovelace", "Mei Wang")
    bar(page).get_by_role("button", name="Remind me").click()
    page.get_by_role("dialog").get_by_role("button", name="In two weeks").click()
    expect(page.get_by_text("Reminder for 2 people set")).to_be_visible()
    due = {row["prospect"]: row["dueAt"] for row in client.rows("/v1/reminders?state=pending")}
    assert due.keys() == {people["Ada Lovelace"], people["Mei Wang"], people["Grace Hopper"]}, due
    assert re.search(r"T0[78]:00:00Z", due[people["Ada Lovelace"]]), due


@only_on("desktop")
def test_a_table_holds_no_formulas(visit, client):
    client.ask("POST", "/v1/prospects", {"name": "=1+1", "phone": "+44 7700 900111", "note": 'a "quoted", text'})
    page = visit.open("prospects")
    expect(visit.rows()).to_have_count(5)
    select(visit, "=1+1")
    with page.expect_download() as download:
        bar(page).get_by_role("button", name="CSV").click()
    [columns, row] = list(csv.reader(io.StringIO(download.value.path().read_text())))
    values = dict(zip(columns, row))
    assert values["name"] == "'=1+1" and values["phone"] == "+44 7700 900111" and values["note"] == 'a "quoted", text', values


def test_the_sheet_of_a_day_has_the_people_met_and_what_follows(visit, client):
    client.ask("POST", "/v1/prospects", {"name": "Fos Dem", "email": "fos@example.com", "met": "FOSDEM"})
    page = visit.open("prospects")
    menu_of(page, ".tools")
    page.locator(".tools").get_by_role("link", name="Met on a day").click()
    expect(page.locator(".detail").get_by_role("heading", level=2)).to_contain_text("Today at FOSDEM")
    expect(page.get_by_text("5 people met, 0 contacted")).to_be_visible()
    sheet = page.locator(".sheet")
    note = sheet.get_by_label("Note on Fos Dem")
    note.fill("wants the demo")
    note.press("Enter")
    wait_for(page, lambda: client.rows("/v1/prospects?q=fos")[0]["prospect"].get("note") == "wants the demo")
    # One tap for a reminder.
    sheet.get_by_role("button", name="Remind me of Fos Dem tomorrow at nine").click()
    expect(sheet.get_by_role("listitem").filter(has_text="Fos Dem").locator(".row-reminder")).to_contain_text("tomorrow at 09:00")
    ada = sheet.get_by_role("listitem").filter(has_text="Ada Lovelace")
    ada.get_by_role("checkbox").check()
    expect(page.get_by_text("5 people met, 1 contacted")).to_be_visible()
    # The focus stays where someone goes on.
    expect(ada.get_by_role("checkbox")).to_be_focused()
    with page.expect_download() as download:
        page.locator(".detail").get_by_role("button", name="CSV").click()
    rows = list(csv.DictReader(io.StringIO(download.value.path().read_text())))
    assert len(rows) == 5 and {row["name"] for row in rows} >= {"Fos Dem", "Ada Lovelace"}, rows
    page.locator(".detail").get_by_role("button", name="All contacted").click()
    expect(page.get_by_text("5 people met, 5 contacted")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("5 people met, 1 contacted")).to_be_visible()
    visit.open("prospects/day/2001-01-01")
    expect(page.get_by_text("No one was met on this day.")).to_be_visible()
    page.get_by_label("Day").select_option(index=0)
    expect(page.get_by_text("5 people met, 1 contacted")).to_be_visible()


@only_on("desktop")
def test_reminders_have_the_times_that_people_mean(visit, client):
    clock = visit.install_clock()
    person = client.rows("/v1/prospects?q=ada")[0]["id"]
    page = visit.open("prospects")
    day = today()
    for hour in [5, 12]:
        clock.set_fixed_time(datetime.datetime(day.year, day.month, day.day, hour) + datetime.timedelta(days=1))
        page.goto("/#/prospects")
        page.goto(f"/#/prospects/{person}")
        page.get_by_role("button", name="Remind me").click()
        choices = page.get_by_role("dialog").locator(".choice")
        expect(choices.filter(has_text="In two weeks")).to_be_visible()
        names = [text.split("\n")[0] for text in choices.all_inner_texts()]
        # From Friday and from Sunday, the next Monday has a name already.
        assert ("Next Monday" in names) == ((day + datetime.timedelta(days=1)).weekday() not in (4, 6)), names
        assert ("Today at nine" in names) == (hour == 5), names
        assert {"In an hour", "Tomorrow at nine", "In three days", "In two weeks"} <= set(names), names
        times = choices.locator(".muted").all_inner_texts()
        assert all(text.endswith("09:00") for name, text in zip(names, times) if name != "In an hour"), times
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)


@only_on("phone")
def test_a_message_does_not_say_what_is_no_longer_so(visit, client):
    page = visit.open(f"prospects/{client.rows('/v1/prospects?q=ada')[0]['id']}")
    page.get_by_role("button", name="Remind me").click()
    page.get_by_role("dialog").get_by_role("button", name="Tomorrow at nine").click()
    expect(page.locator(".notice")).to_contain_text("Reminder for Ada Lovelace set")
    page.locator(".switch").check()
    expect(page.locator(".notice")).to_contain_text("Ada Lovelace was contacted")
    page.get_by_role("button", name="Close this message").click()
    # The reminder was cancelled, so its message does not come back.
    expect(page.locator(".notice")).to_have_count(0)


def test_a_person_begins_with_what_happened(visit, client):
    person = client.rows("/v1/prospects?q=ada")[0]["id"]
    client.ask("PATCH", f"/v1/prospects/{person}", {"contacted": True})
    page = visit.open(f"prospects/{person}")
    story = page.locator(".story")
    expect(story.get_by_role("listitem").first).to_contain_text("Met today at")
    expect(story.get_by_role("listitem").first).to_contain_text("London")
    expect(story).to_contain_text("Contacted today at")
    expect(page).to_have_title("Ada Lovelace · Prospects · Switchboard")
    birthday = today() + datetime.timedelta(days=3)
    contact = client.ask("POST", "/v1/contacts", {"name": "Cal Led", "phones": ["+44 7700 900123"], "birthday": f"1980-{birthday:%m-%d}"})["id"]
    client.ask("POST", f"/v1/contacts/{contact}/call")
    visit.open(f"contacts/{contact}")
    expect(story).to_contain_text("Birthday in 3 days")
    expect(story).to_contain_text("Called today at")
    expect(story).to_contain_text("Added today at")
    expect(page).to_have_title("Cal Led · Contacts · Switchboard")
    page.goto("/#/contacts")
    expect(page).to_have_title("Contacts · Switchboard")


@only_on("phone")
def test_the_icon_of_the_installed_page_has_the_number_of_overdue_reminders(visit, client):
    page = visit.page
    page.add_init_script("""
        window.badges = [];
        navigator.setAppBadge = async (count) => { badges.push(count); };
        navigator.clearAppBadge = async () => { badges.push(0); };
    """)
    for name in ["ada", "grace"]:
        client.ask("PUT", f"/v1/prospects/{client.rows(f'/v1/prospects?q={name}')[0]['id']}/reminder", {"in": 1})
    wait_for(page, lambda: len(client.rows("/v1/reminders?overdue=true")) == 2)
    visit.open("contacts")
    page.wait_for_function("() => badges.at(-1) === 2")
    page.get_by_role("region", name="Overdue reminders").get_by_role("button", name="Contacted").first.click()
    page.wait_for_function("() => badges.at(-1) === 1")


@only_on("desktop")
def test_several_items_are_removed_and_brought_back(visit, client):
    page = visit.open("activity")
    items = page.get_by_role("list", name="Items").get_by_role("listitem")
    expect(items).to_have_count(2)
    page.get_by_role("button", name="Select", exact=True).click()
    bar(page).get_by_role("button", name="Select all").click()
    expect(bar(page)).to_contain_text("2 selected")
    bar(page).get_by_role("button", name="Remove").click()
    expect(items).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(items).to_have_count(2)
    assert client.ask("GET", "/v1/index/items?withoutActivities=true")["total"] == 2
