"""Activities to continue, and items of apps."""

import re

from playwright.sync_api import expect

from marks import only_in_chromium, only_on


@only_on("phone")
def test_an_activity_of_another_device_is_continued(visit, client):
    page = visit.open("find")
    visit.context.route("https://example.com/**", lambda route: route.fulfill(body="the place", content_type="text/plain"))
    with visit.context.expect_page() as opened:
        page.get_by_role("link", name=re.compile("Watching Twin Peaks")).click()
    assert opened.value.url == "https://example.com/twin-peaks/3"
    assert opened.value.evaluate("window.opener") is None
    client.ask("POST", "/v1/activities", {
        "activityType": "com.example.call", "title": "Talking to Rio Grande", "persistentIdentifier": "call-1"})
    expect(page.get_by_role("link", name=re.compile("Talking to Rio Grande"))).to_be_visible(timeout=5_000)
    page.get_by_role("link", name="Activity", exact=True).click()
    expect(page.get_by_role("heading", name="Now", exact=True)).to_be_visible()


@only_in_chromium
@only_on("desktop")
def test_opening_an_item_records_the_engagement(visit, client):
    page = visit.open("activity")
    visit.context.route("https://example.com/**", lambda route: route.fulfill(body="the place", content_type="text/plain"))
    visit.field.fill("coffee")
    expect(visit.options).to_have_count(2)
    expect(visit.options.first.locator("mark")).to_have_text("coffee")
    with visit.context.expect_page() as opened, page.expect_request(re.compile("/v1/index/items/peaks/engage")) as engaged:
        page.keyboard.press("Enter")
    assert opened.value.url == "https://example.com/twin-peaks"
    assert engaged.value.post_data_json == {"query": "coffee"}


@only_on("phone")
def test_an_item_without_a_link_shows_its_details(visit, client):
    page = visit.open("activity")
    visit.field.fill("checklist")
    expect(visit.options.first).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=2, name="Booth checklist")).to_be_visible()
    page.get_by_role("button", name="Remove").click()
    expect(page.get_by_role("link", name=re.compile("Booth checklist"))).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Clear search").click()
    expect(page.get_by_role("link", name=re.compile("Booth checklist"))).to_be_visible()
    assert client.ask("GET", "/v1/index/items/checklist")
