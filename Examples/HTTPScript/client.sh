#!/bin/sh
# A client of the HTTP API with curl and jq: client.sh URL, with a token in SWITCHBOARD_TOKEN
#
# It adds a contact once although it is sent twice, changes it although someone else has changed it meanwhile, lists all
# contacts page by page, and resumes a stream of events without a gap.
set -eu
server=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The token is in a file, since other accounts can see the arguments of a program.
(umask 077 && printf 'header = "Authorization: Bearer %s"\n' "$SWITCHBOARD_TOKEN" >"$folder/token")

# Sends a request and prints the status: ask METHOD PATH [OPTION…]. The body is in $folder/body, the fields in $folder/head.
ask() {
    method=$1 path=$2
    shift 2
    curl --silent --show-error --config "$folder/token" --request "$method" --output "$folder/body" \
        --dump-header "$folder/head" --write-out '%{http_code}' "$@" "$server$path"
}

# Prints a header field of the last response: field NAME
field() { tr -d '\r' <"$folder/head" | sed -n "s/^$1: //Ip"; }

# Prints a value of the last response: body FILTER
body() { jq --raw-output "$1" "$folder/body"; }

# Ends the script unless the last response has one of the expected statuses: expect STATUS EXPECTED…
expect() {
    status=$1
    shift
    for expected; do [ "$status" = "$expected" ] && return; done
    echo "client.sh: $(body .detail) ($(body .code))" >&2
    exit 1
}

# --- Adding: a request with the same key is handled once.

key=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
add() {
    ask POST /v1/contacts --json '{"name": "Zoë Jogo", "phones": ["+44 20 7946 0123"]}' \
        --header "Idempotency-Key: $key" --retry 5 --retry-connrefused
}
expect "$(add)" 201
id=$(body .id)
expect "$(add)" 201
echo "added once: $([ "$(body .id)" = "$id" ] && echo yes || echo no)"

# --- Changing: If-Match names the version that is changed.

expect "$(ask GET "/v1/contacts/$id")" 200
tag=$(field etag)
note=$(body '.contact.note // ""')
echo "unchanged since: $(ask GET "/v1/contacts/$id" --header "If-None-Match: $tag")"

# Someone else is faster.
expect "$(ask PATCH "/v1/contacts/$id" --json '{"note": "Met in Bergen"}')" 200

while :; do
    status=$(ask PATCH "/v1/contacts/$id" --header "If-Match: $tag" \
        --json "$(jq -n --arg note "$note" '{note: ([$note, "Call on Monday"] | map(select(. != "")) | join("; "))}')")
    [ "$status" = 412 ] || break
    # The problem has the current version, and the response its tag.
    tag=$(field etag)
    note=$(body '.current.contact.note // ""')
    echo "merging with: $note"
done
expect "$status" 200
echo "merged: $(body .contact.note)"

# --- Listing: nextCursor of a page is the cursor of the next one.

cursor= count=0
while :; do
    expect "$(ask GET "/v1/contacts?limit=2${cursor:+&cursor=$cursor}")" 200
    count=$((count + $(body '.results | length')))
    cursor=$(body '.nextCursor // "" | @uri')
    [ -n "$cursor" ] || break
done
echo "listed all: $([ "$count" = "$(body .total)" ] && echo yes || echo no)"

# --- Following: Last-Event-ID resumes a stream where it broke off.

# Prints the lines of a stream: events [OPTION…]
events() { curl --silent --no-buffer --max-time 30 --config "$folder/token" "$@" "$server/v1/events"; }

# A new stream begins with an identifier, and no event.
last=$(events | sed -n '/^id: /{s///p;q}')
expect "$(ask DELETE "/v1/contacts/$id")" 204
# What happened in between comes first.
events --header "Last-Event-ID: $last" | sed -n '/^data: /{s//event: /p;q}'
