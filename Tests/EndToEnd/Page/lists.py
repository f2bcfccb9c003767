"""Long lists of contacts, prospects and items: windowed rows, totals, letters, and a place that survives changes and going back."""

import re
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import expect

from browsing import box_of, wait_for
from marks import only_on


def many_contacts(client, count):
    """Adds contacts named by number, from Person 00000 on."""
    cards = "".join(f"BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Person {number:05}\r\nEND:VCARD\r\n" for number in range(count))
    client.ask("POST", "/v1/contacts/import", cards.encode(), "text/vcard")


def many_prospects(client, count):
    """Adds prospects named by number, in any order."""
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda number: client.ask("POST", "/v1/prospects", {"name": f"Person {number:05}"}), range(count)))


def many_items(client, count):
    """Adds items named by number, from Item 00000 on."""
    client.ask("PUT", "/v1/index/items", [{"id": f"i{number:05}", "title": f"Item {number:05}"} for number in range(count)])


def first_seen(page, name="", place=None):
    """Waits until the name of the first whole row below the search field begins with `name`, at a place, and returns both."""
    return page.wait_for_function("""([name, place]) => {
        const rows = [...document.querySelectorAll("ul.rows > li:not(.pending)")].map((row) => [row.querySelector(".row-title").textContent, row.getBoundingClientRect().top]);
        const first = rows.find(([, top]) => top >= document.querySelector('.search-box').getBoundingClientRect().bottom - 8);
        return first?.[0].startsWith(name) && (place === null || Math.abs(first[1] - place) < 2) && first;
    }""", arg=[name, place]).json_value()


def settled(page):
    """Waits until the rows of the place to which the page was scrolled are drawn and loaded."""
    page.wait_for_function("""() => {
        const below = document.querySelector('.search-box').getBoundingClientRect().bottom;
        return !document.querySelector('li.pending')
            && [...document.querySelectorAll('ul.rows > li')].some((row) => {
                const { top, bottom } = row.getBoundingClientRect();
                return top < innerHeight && bottom > below;
            });
    }""")


def rows_of(page, label):
    """The elements of the rows of a list."""
    return page.get_by_role("list", name=label).get_by_role("listitem")


def has_few_elements(visit, label, count):
    """Asserts that a list has elements only for the rows on the screen, and that keys lead to its first and last row."""
    page = visit.page
    rows = rows_of(page, label)
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    expect(rows.last).to_have_attribute("aria-posinset", str(count))
    settled(page)
    wait_for(page, lambda: rows.count() < 60)
    rows.last.get_by_role("link").focus()
    page.keyboard.press("Home")
    expect(rows.first).to_have_attribute("aria-posinset", "1")
    expect(rows.first.get_by_role("link")).to_be_focused()
    expect(rows.first).to_be_in_viewport()
    page.keyboard.press("End")
    expect(rows.last.get_by_role("link")).to_be_focused()
    for _ in range(40):
        page.keyboard.press("ArrowUp")
    expect(page.locator(f"li[aria-posinset='{count - 40}'] a.row")).to_be_focused()


def keeps_its_place(visit, view, add, added):
    """Asserts that a list keeps its place when `add` adds a row above, which is done when `added` is shown, and on going back."""
    page = visit.page
    page.evaluate("scrollTo(0, document.body.scrollHeight / 2)")
    page.wait_for_function("() => scrollY > innerHeight")
    settled(page)
    before = first_seen(page)
    add()
    expect(page.get_by_text(added)).to_be_attached()
    settled(page)
    first_seen(page, *before)
    place = page.evaluate("scrollY")
    # A click by Playwright may scroll before.
    page.get_by_text(before[0], exact=True).evaluate("row => row.click()")
    expect(page.get_by_role("heading", level=2, name=before[0])).to_be_visible()
    page.go_back()
    expect(page.get_by_text(before[0], exact=True).first).to_be_visible()
    page.wait_for_function("place => Math.abs(scrollY - place) < 2", arg=place)
    page.get_by_role("link", name="Airports", exact=True).evaluate("link => link.click()")
    expect(page.get_by_role("heading", level=1)).to_have_text("Airports")
    page.get_by_role("link", name=view, exact=True).click()
    expect(page.get_by_text(before[0], exact=True).first).to_be_visible()
    page.wait_for_function("place => Math.abs(scrollY - place) < 2", arg=place)


def test_a_long_list_of_contacts_has_elements_only_for_the_rows_on_the_screen(visit, client):
    many_contacts(client, 10_000)
    visit.open("contacts")
    expect(visit.status).to_have_text("10,343 contacts")
    has_few_elements(visit, "Contacts", 10_343)
    last = client.rows("/v1/contacts?limit=1&cursor=10342")[0]["title"]
    visit.page.keyboard.press("End")
    expect(visit.rows().last).to_contain_text(last)


def million_contacts(page):
    """Answers the page's requests for contacts with a million of them, named by number."""
    def answer(route):
        query = parse_qs(urlsplit(route.request.url).query)
        first, count = int(query["cursor"][0]), int(query["limit"][0])
        route.fulfill(json={"total": 1_000_000, "results": [
            {"id": f"id{number}", "kind": "contact", "title": f"Person {number:06}", "subtitle": "", "match": "exact", "highlights": {},
             "contact": {"id": f"id{number}", "name": f"Person {number:06}", "phones": [], "emails": []}}
            for number in range(first, min(first + count, 1_000_000))]})
    page.route(re.compile(r"/v1/contacts\?.*cursor="), answer)


def test_a_list_of_a_million_contacts_leads_to_each_of_them(visit, client):
    million_contacts(visit.page)
    page = visit.open("contacts")
    expect(visit.status).to_have_text("1,000,000 contacts")
    rows = rows_of(page, "Contacts")
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    settled(page)
    expect(rows.last).to_contain_text("Person 999999")
    expect(rows.last).to_be_in_viewport()
    page.evaluate("scrollTo(0, document.body.scrollHeight / 2)")
    settled(page)
    name, top = first_seen(page)
    assert 490_000 < int(name.split()[1]) < 510_000, name
    # A small step moves the rows as far as in a short list, and the way back leads to the same row.
    page.evaluate("scrollBy(0, 300)")
    page.wait_for_function("""([name, top]) => [...document.querySelectorAll("ul.rows > li")].some((row) =>
        row.textContent.includes(name) && Math.abs(row.getBoundingClientRect().top - (top - 300)) < 2)""", arg=[name, top])
    page.evaluate("scrollBy(0, -300)")
    first_seen(page, name, top)
    page.get_by_text(name, exact=True).evaluate("row => row.click()")
    page.go_back()
    first_seen(page, name, top)
    rows.first.get_by_role("link").focus()
    page.keyboard.press("End")
    expect(page.locator("li[aria-posinset='1000000'] a.row")).to_be_focused()
    for _ in range(40):
        page.keyboard.press("ArrowUp")
    expect(page.locator("li[aria-posinset='999960'] a.row")).to_be_focused()
    expect(page.locator("li[aria-posinset='999960']")).to_be_in_viewport()
    page.keyboard.press("Home")
    expect(page.locator("li[aria-posinset='1'] a.row")).to_be_focused()
    expect(rows.first).to_be_in_viewport()
    for _ in range(40):
        page.keyboard.press("ArrowDown")
    expect(page.locator("li[aria-posinset='41'] a.row")).to_be_focused()
    expect(page.locator("li[aria-posinset='41']")).to_be_in_viewport()


@only_on("desktop")
def test_a_row_of_a_long_list_keeps_the_focus_when_others_are_loaded_again(visit, client):
    many_contacts(client, 1_000)
    page = visit.open("contacts")
    expect(visit.status).to_have_text("1,343 contacts")
    settled(page)
    held = []
    page.route(re.compile(r"/v1/contacts\?.*cursor=0"), lambda route: held.append(route))
    client.ask("POST", "/v1/contacts", {"givenName": "Aaaron"})
    wait_for(page, lambda: held)
    # The same change may be reported twice; a second load would ask for the last rows.
    page.wait_for_timeout(500)
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    rows = rows_of(page, "Contacts")
    # The last rows were not loaded before, so that their number is the new one.
    expect(rows.last).to_have_attribute("aria-posinset", "1344")
    settled(page)
    name = rows.last.locator(".row-title").text_content()
    rows.last.get_by_role("link").focus()
    rows.last.evaluate("row => { row.dataset.drawn = 'before' }")
    # Now the first rows come, and take the place of all that were loaded.
    held.pop().continue_()
    expect(page.locator("li[data-drawn]")).to_have_count(0)
    expect(visit.status).to_have_text("1,344 contacts")
    expect(page.locator("li[aria-posinset='1344'] a.row")).to_be_focused()
    expect(page.locator("li[aria-posinset='1344'] .row-title")).to_have_text(name)
    page.unroute_all()
    page.keyboard.press("Home")
    page.keyboard.press("End")
    expect(page.locator("li[aria-posinset='1344'] a.row")).to_be_focused()
    page.keyboard.press("Home")
    expect(page.locator("li[aria-posinset='1'] a.row")).to_be_focused()


def test_a_long_list_of_contacts_keeps_its_place(visit, client):
    many_contacts(client, 3_000)
    visit.open("contacts")
    expect(visit.status).to_have_text("3,343 contacts")
    keeps_its_place(visit, "Contacts", lambda: client.ask("POST", "/v1/contacts", {"givenName": "Aaaron"}), "3,344 contacts")


def test_a_long_list_of_prospects_is_windowed_and_filtered(visit, client):
    many_prospects(client, 300)
    page = visit.open("prospects")
    expect(visit.status).to_have_text("304 people")
    has_few_elements(visit, "Prospects", 304)
    # A checkbox of a row far down keeps its place and the focus.
    row = visit.rows().filter(has=page.locator("a:focus"))
    name = row.locator(".row-title").inner_text()
    # The click moves the focus by which the row is found; check() would look for it again.
    row.get_by_role("checkbox").click()
    expect(page.get_by_text(f"{name} was contacted")).to_be_visible()
    expect(visit.rows().filter(has_text=name).get_by_role("checkbox")).to_be_focused()
    page.get_by_role("button", name="Contacted", exact=True).evaluate("button => button.click()")
    expect(visit.status).to_have_text("1 person")
    expect(visit.rows()).to_have_count(1)
    expect(visit.rows()).to_contain_text(name)
    page.get_by_role("button", name="Uncontacted", exact=True).click()
    expect(visit.status).to_have_text("303 people")
    page.wait_for_function("() => scrollY === 0")
    expect(rows_of(page, "Prospects").first).to_have_attribute("aria-setsize", "303")


def test_a_long_list_of_prospects_keeps_its_place(visit, client):
    many_prospects(client, 300)
    visit.open("prospects")
    expect(visit.status).to_have_text("304 people")
    keeps_its_place(visit, "Prospects", lambda: client.ask("POST", "/v1/prospects", {"name": "Newly Met"}), "305 people")


def test_the_reminders_of_a_long_list_are_shown_in_their_rows(visit, client):
    many_prospects(client, 120)
    person = client.rows("/v1/prospects?sort=recent&limit=1&cursor=110")[0]
    for row in client.rows("/v1/prospects?sort=name&limit=100") + [person]:
        client.ask("PUT", f"/v1/prospects/{row['id']}/reminder", {"in": 3600})
    page = visit.open("prospects")
    expect(visit.status).to_have_text("124 people")
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    row = page.locator(f"li[data-id='{person['id']}']")
    expect(row.locator(".row-reminder")).to_be_visible()
    expect(row).to_contain_text(person["title"])
    # A reminder fits into the row, which is as high as the others.
    assert row.locator("a.row").evaluate("row => row.scrollHeight <= row.clientHeight && row.scrollWidth <= row.clientWidth")


def test_a_long_list_of_items_is_windowed_without_activities(visit, client):
    many_items(client, 2_000)
    for number in range(30):
        client.ask("POST", "/v1/activities", {"activityType": "com.example.show", "title": f"Watching {number}", "persistentIdentifier": f"a{number}"})
    page = visit.open("activity")
    expect(page.get_by_role("heading", name="Items")).to_have_text("Items 2,002 items")
    has_few_elements(visit, "Items", 2_002)


def test_a_long_list_of_activities_is_windowed(visit, client):
    for number in range(150):
        client.ask("POST", "/v1/activities", {"activityType": "com.example.show", "title": f"Watching {number:03}", "persistentIdentifier": f"a{number:03}"})
    total = client.ask("GET", "/v1/activities?limit=1")["total"]
    assert total > 150
    page = visit.open("activity")
    page.get_by_role("button", name=f"Show all {total} activities").click()
    expect(page.get_by_role("button", name="Show fewer")).to_be_focused()
    has_few_elements(visit, "Activities", total)
    # One that is not among the first ones, and has no page of its own.
    page.get_by_text("Watching 020", exact=True).evaluate("row => row.click()")
    expect(page.get_by_role("heading", level=2, name="Watching 020")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", level=2, name="Watching 020")).to_be_visible()
    visit.open("activity")
    page.get_by_role("button", name=f"Show all {total} activities").click()
    expect(page.get_by_role("button", name="Show fewer")).to_be_visible()
    while rows := client.rows("/v1/activities?limit=100"):
        for row in rows:
            client.ask("DELETE", f"/v1/activities/{row['id']}")
    expect(page.get_by_role("button", name="Show fewer")).to_have_count(0)
    expect(page.get_by_role("heading", name="Activities")).to_have_count(0)


def test_a_long_list_of_items_keeps_its_place(visit, client):
    many_items(client, 2_000)
    page = visit.open("activity")
    expect(page.get_by_text("2,002 items")).to_be_visible()
    keeps_its_place(visit, "Activity", lambda: client.ask("PUT", "/v1/index/items", {"id": "a", "title": "Above"}), "2,003 items")


@only_on("desktop")
def test_the_letters_of_prospects_appear_in_the_order_of_names(visit, client):
    many_prospects(client, 80)
    page = visit.open("prospects")
    expect(visit.status).to_have_text("84 people")
    index = page.get_by_role("slider", name="First letter")
    expect(index).to_have_count(0)
    page.get_by_role("button", name="Order: Recently met first").click()
    expect(index).to_have_attribute("aria-valuetext", "A")
    expect(visit.rows().first).to_contain_text("Ada Lovelace")
    index.focus()
    page.keyboard.press("End")
    expect(index).to_have_attribute("aria-valuetext", "P")
    first_seen(page, "Person 00000")
    # Only the filtered rows count.
    page.get_by_role("button", name="Contacted", exact=True).click()
    expect(page.get_by_text("No one contacted yet.")).to_be_visible()
    expect(index).to_have_count(0)


def test_the_index_of_letters_scrolls_a_long_list(visit, client):
    many_contacts(client, 2_000)
    page = visit.open("contacts")
    index = page.get_by_role("slider", name="First letter")
    letters = client.rows("/v1/contacts/letters")
    expect(index).to_have_attribute("aria-valuetext", letters[0]["letter"])
    index.focus()
    while index.get_attribute("aria-valuetext") != "P":
        page.keyboard.press("ArrowDown")
    first_seen(page, "P")
    page.keyboard.press("ArrowDown")
    expect(index).to_have_attribute("aria-valuetext", "R")
    first_seen(page, "R")
    page.keyboard.press("End")
    expect(index).to_have_attribute("aria-valuetext", letters[-1]["letter"])
    expect(visit.rows().last).to_have_attribute("aria-posinset", "2343")
    box = box_of(index)
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    # The strip shows the thirty letters of the most names.
    common = sorted(sorted(range(len(letters)), key=lambda number: -letters[number]["count"])[:30])
    expect(index).to_have_attribute("aria-valuetext", letters[common[len(common) // 2]]["letter"])
    assert sum(row["count"] for row in letters) == 2_343
    # Scrolling marks the letter.
    page.evaluate("scrollTo(0, 0)")
    expect(index).to_have_attribute("aria-valuetext", letters[0]["letter"])


def test_the_search_field_stays_on_the_screen(visit, client):
    many_contacts(client, 500)
    page = visit.open("contacts")
    expect(visit.status).to_have_text("843 contacts")
    page.evaluate("scrollTo(0, 9_000)")
    settled(page)
    expect(visit.field).to_be_in_viewport(ratio=1)
    # A row that gets the focus is not below it.
    name = first_seen(page)[0]
    page.get_by_text(name, exact=True).locator("xpath=ancestor::a").focus()
    for _ in range(3):
        page.keyboard.press("ArrowUp")
    row = box_of(page.locator("a.row:focus"))
    box = box_of(page.locator(".search-box"))
    assert row["y"] >= box["y"] + box["height"] - 1, (row, box)
    visit.field.fill("rio grande")
    expect(visit.options.first).to_be_in_viewport(ratio=1)
