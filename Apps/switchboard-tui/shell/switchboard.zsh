# Key bindings of the picker for zsh: source this file in ~/.zshrc.
#
#   Ctrl-X e   insert an e-mail address
#   Ctrl-X p   insert a phone number
#   Ctrl-X a   insert an airport code

__switchboard_insert() {
    local picked
    picked=$(switchboard-tui --pick $1 --print $2) && LBUFFER+=$picked
    zle reset-prompt
}

switchboard-insert-email() { __switchboard_insert contact email }
switchboard-insert-phone() { __switchboard_insert contact phone }
switchboard-insert-airport() { __switchboard_insert airport iata }

for name in email phone airport; do zle -N switchboard-insert-$name; done
bindkey '^Xe' switchboard-insert-email
bindkey '^Xp' switchboard-insert-phone
bindkey '^Xa' switchboard-insert-airport
