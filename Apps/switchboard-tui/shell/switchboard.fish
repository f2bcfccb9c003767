# Key bindings of the picker for fish: source this file in ~/.config/fish/config.fish.
#
#   Ctrl-X e   insert an e-mail address
#   Ctrl-X p   insert a phone number
#   Ctrl-X a   insert an airport code

function __switchboard_insert
    set -l picked (switchboard-tui --pick $argv[1] --print $argv[2])
    and commandline --insert -- $picked
    commandline --function repaint
end

bind \cxe '__switchboard_insert contact email'
bind \cxp '__switchboard_insert contact phone'
bind \cxa '__switchboard_insert airport iata'
