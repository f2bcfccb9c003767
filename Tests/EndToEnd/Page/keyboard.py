"""The palette of commands, the keys of lists, and where the focus goes on."""

from playwright.sync_api import expect

from marks import only_on


@only_on("desktop")
def test_the_palette_leads_to_every_command_and_person(visit, client):
    page = visit.open("airports")
    page.keyboard.press("Control+k")
    palette = page.get_by_role("dialog", name="Commands")
    field = palette.get_by_role("combobox")
    expect(field).to_be_focused()
    expect(palette.get_by_role("button", name="Go to Settings")).to_contain_text("Alt 6")
    page.keyboard.type("set")
    expect(palette.get_by_role("option").first).to_have_text("Go to SettingsAlt 6")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Settings")
    page.keyboard.press("Control+k")
    expect(field).to_be_focused()
    page.keyboard.type("rio gr")
    expect(palette.get_by_role("option").first).to_contain_text("Rio Grande")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=2, name="Rio Grande")).to_be_visible()
    # The commands of the open person come first, with their keys.
    page.keyboard.press("Control+k")
    expect(field).to_be_focused()
    page.keyboard.type("favo")
    expect(palette.get_by_role("option").first).to_contain_text("Favourite: Rio Grande")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Favourite", exact=True)).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Control+k")
    expect(field).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Escape")
    expect(palette).to_have_count(0)
    page.get_by_role("button", name="Commands").click()
    expect(field).to_be_focused()


@only_on("desktop")
def test_commands_need_no_server(visit, client):
    page = visit.open("contacts")
    page.keyboard.press("Control+k")
    palette = page.get_by_role("dialog", name="Commands")
    expect(palette.get_by_role("combobox")).to_be_focused()
    page.route("**/v1/find*", lambda route: route.abort())
    page.keyboard.type("prosp")
    expect(palette.get_by_role("option").first).to_contain_text("Add prospect")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="New prospect")).to_be_visible()
    expect(page.get_by_role("alert").filter(visible=True)).to_have_count(0)


@only_on("desktop")
def test_escape_returns_to_the_results(visit, client):
    page = visit.open("find")
    visit.field.fill("rio grande")
    expect(visit.options.first).to_contain_text("Rio Grande")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=2, name="Rio Grande")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("heading", level=1)).to_have_text("Find")
    expect(visit.field).to_have_value("rio grande")
    expect(visit.field).to_be_focused()
    expect(visit.options.first).to_contain_text("Rio Grande")
    # Within a view, too.
    visit.open("contacts")
    visit.field.fill("rio grande")
    expect(visit.options.first).to_contain_text("Rio Grande")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=2, name="Rio Grande")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("heading", level=2, name="Rio Grande")).to_have_count(0)
    expect(visit.field).to_be_focused()
    expect(visit.options.first).to_contain_text("Rio Grande")


@only_on("desktop")
def test_a_row_of_contacts_is_controlled_by_the_keyboard(visit, client):
    page = visit.open("contacts")
    expect(visit.rows().first).to_be_visible()
    row = client.rows("/v1/contacts?limit=3")[1]
    link = page.locator(f"[data-id='{row['id']}'] a.row")
    link.focus()
    page.keyboard.press("f")
    expect(page.locator(f"[data-id='{row['id']}'] .icon-star")).to_be_visible()
    expect(link).to_be_focused()
    page.keyboard.press("Delete")
    expect(page.get_by_text(f"{row['title']} removed")).to_be_visible()
    # The next row has the focus.
    after = client.rows("/v1/contacts?limit=3")[2]["id"]
    expect(page.locator(f"[data-id='{after}'] a.row")).to_be_focused()
    page.keyboard.press("u")
    expect(link).to_be_visible()
    link.focus()
    page.keyboard.press("e")
    expect(page.get_by_label("Given name", exact=True)).to_be_focused()


@only_on("desktop")
def test_the_key_that_leads_to_the_field_is_no_part_of_a_search(visit, client):
    page = visit.open("contacts")
    expect(visit.field).to_be_focused()
    page.keyboard.press("/")
    expect(visit.field).to_have_value("")
    page.keyboard.type("a/b")
    expect(visit.field).to_have_value("a/b")


@only_on("desktop")
def test_a_menu_is_opened_and_left_by_keys(visit, client):
    page = visit.open(f"contacts/{client.rows('/v1/contacts?q=rio+grande')[0]['id']}")
    more = page.locator(".detail").get_by_role("button", name="More")
    more.press("Enter")
    expect(more).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("ArrowDown")
    expect(page.locator(".detail").get_by_role("button", name="Remove", exact=True)).to_be_focused()
    page.keyboard.press("Escape")
    expect(more).to_be_focused()
    expect(more).to_have_attribute("aria-expanded", "false")
    expect(page.get_by_role("heading", level=2, name="Rio Grande")).to_be_visible()
