#!/bin/sh
# Puts a web page into the desktop's search: bookmark.sh URL TITLE
#
# Needs gdbus (Debian's libglib2.0-bin) and jq. A script has no name on the bus, so its items are in the domain "scripts",
# which all scripts share.
set -eu
items=$(jq -n --arg url "$1" --arg title "$2" '{id: $url, domain: "bookmarks", title: $title, url: $url}')
gdbus call --session --dest org.switchboard.Switchboard --object-path /org/switchboard/Index \
    --method org.switchboard.Index1.Put "''" "$items" "{}"
