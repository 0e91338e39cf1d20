#!/bin/sh
# window_keys.sh PROGRAM SCRATCH SCENARIO: keys in a real window, under Xvfb: shortcuts that also write something, keyboards of other
# languages, keys that are held, keys and the end while a simulation runs. What they did is seen in pictures that the program
# writes. Exit code 77: skipped, since Xvfb, xdotool or setxkbmap are missing.
set -eu

program=$1
scratch=$2
scenario=$3

rm -rf "$scratch"
mkdir -p "$scratch"
here=$(cd "$(dirname "$0")" && pwd)
set -- setxkbmap xkbcomp
. "$here/window_display.sh"
cd "$scratch"

# Keys by their places, as X numbers them, named as they are on US keyboards.
q=24 w=25 r=27 h=43 minus=20 digit0=19 digit6=15 digit7=16 shift=50 altgr=108

# keyboard LANGUAGE: it takes a while until programs know.
keyboard() {
    setxkbmap -layout "$1"
    sleep 0.5
}

same() { cmp -s "$1" "$2" || fail "$3"; }
differ() { ! cmp -s "$1" "$2" || fail "$3"; }

start_display
keyboard us
start_viewer "$program" "$scenario" --size 1000x600
picture whole.svg

step="Ctrl with a sign does not zoom, too"
for keys in "ctrl+equal" "ctrl+plus" "ctrl+minus" "ctrl+KP_Add" "ctrl+KP_Subtract"; do
    xdotool key $keys
    rm -f sized.svg back.svg
    picture sized.svg
    differ sized.svg whole.svg "$keys does nothing"
    xdotool key ctrl+0
    picture back.svg
    same back.svg whole.svg "$keys did more than change the size of text"
done

step="Ctrl with a sign in a prompt"
xdotool key F12 ctrl+equal ctrl+minus
xdotool type --delay 15 -- "typed.svg"
xdotool key Return
until_true 10 test -s typed.svg || fail "it was typed into the name"
xdotool key ctrl+0

step="a key that is held switches once"
xdotool keydown g
sleep 1.2
xdotool keyup g
picture grid.svg
differ grid.svg whole.svg "it does nothing"
xdotool key g
picture again.svg
same again.svg whole.svg "it went on and off"

step="a Russian keyboard"
keyboard ru
xdotool key $w
keyboard us
picture nearer.svg
differ nearer.svg whole.svg "w does not zoom in"
keyboard ru
xdotool key $digit0
xdotool key $r
keyboard us
xdotool type --delay 15 -- "control"
xdotool key Return
picture control.svg
[ "$(wc -c <control.svg)" -lt "$(wc -c <whole.svg)" ] || fail "r does not ask for rows, or took what it wrote for some"
keyboard ru
xdotool keydown $shift key $h keyup $shift
keyboard us
picture all.svg
same all.svg whole.svg "Shift+h and 0 do not show all again"

step="a German keyboard"
keyboard de
xdotool keydown $altgr key $digit7 keyup $altgr # {
keyboard us
picture lower.svg
differ lower.svg whole.svg "AltGr+7 does not make rows lower"

step="a French keyboard"
xdotool key 0 w w
picture before.svg
keyboard fr
xdotool key $q # a
keyboard us
picture earlier.svg
differ earlier.svg before.svg "a does not move to earlier"
keyboard fr
xdotool key $digit6 # -
keyboard us
picture further.svg
differ further.svg earlier.svg "- does not zoom out"

# Whether it uses the processor; on a busy machine that takes a while to see.
is_busy() {
    from=$(ticks)
    for _ in $(seq 20); do
        sleep 0.5
        [ $(($(ticks) - from)) -le 30 ] || return 0
    done
    return 1
}

step="Esc stops a simulation, and what was typed before is lost"
xdotool key 0
picture calm.svg
xdotool key e
xdotool type --delay 15 -- "horizon=3000000s"
xdotool key Return
sleep 1
is_busy || fail "nothing is simulated"
xdotool key --delay 1 --repeat 300 d
xdotool type --delay 1 -- "qqqq:quit"
xdotool key Return
xdotool key --delay 1 --repeat 300 d
xdotool key Escape
sleep 3
before=$(ticks)
sleep 1
[ $(($(ticks) - before)) -le 5 ] || fail "it goes on"
if is_gone; then fail "a key of before ended it"; fi
xdotool key Return # the same once more, as it is there to be corrected
sleep 1
is_busy || fail "something was typed to it"
xdotool key Escape
sleep 1
xdotool key Escape
picture stopped.svg
same stopped.svg calm.svg "something else is shown"

step="a Russian q leaves"
keyboard ru
xdotool key $q
expect_end

step="the end while a simulation runs"
keyboard us
start_viewer "$program" "$scenario" --size 1000x600
xdotool key e
xdotool type --delay 15 -- "horizon=3000000s"
xdotool key Return
sleep 1
xdotool key --delay 1 --repeat 300 d
kill -TERM "$viewer"
expect_end

step="the end while a text is typed"
start_viewer "$program" "$scenario" --size 1000x600
xdotool key slash
xdotool type --delay 15 -- "abc"
kill -TERM "$viewer" # shells have what is in the background ignore Ctrl+C
expect_end

if xdotool help 2>&1 | grep -q windowquit; then
    step="the window is closed while a text is typed"
    start_viewer "$program" "$scenario" --size 1000x600
    xdotool key slash
    xdotool type --delay 15 -- "abc"
    xdotool windowquit "$window"
    expect_end
    step="the window is closed while a simulation runs"
    start_viewer "$program" "$scenario" --size 1000x600
    xdotool key e
    xdotool type --delay 15 -- "horizon=3000000s"
    xdotool key Return
    sleep 1
    xdotool windowquit "$window"
    expect_end
fi
