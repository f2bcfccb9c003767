# Key bindings of the picker for bash: source this file in ~/.bashrc.
#
#   Ctrl-X e   insert an e-mail address
#   Ctrl-X p   insert a phone number
#   Ctrl-X a   insert an airport code

__switchboard_insert() {
    local picked
    picked=$(switchboard-tui --pick "$1" --print "$2") || return
    READLINE_LINE=${READLINE_LINE:0:READLINE_POINT}$picked${READLINE_LINE:READLINE_POINT}
    READLINE_POINT=$((READLINE_POINT + ${#picked}))
}

bind -x '"\C-xe": __switchboard_insert contact email'
bind -x '"\C-xp": __switchboard_insert contact phone'
bind -x '"\C-xa": __switchboard_insert airport iata'
