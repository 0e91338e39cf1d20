#!/bin/sh
# window_run.sh PROGRAM SCRATCH SCENARIO: the window program in a real window, under Xvfb, with keys and a mouse by xdotool. What it
# did is seen by its effects: files that it wrote, its title, its exit code. At rest it must take no time of the processor.
# Exit code 77: skipped, since Xvfb or xdotool are missing.
set -eu

program=$1
scratch=$2
scenario=$3

rm -rf "$scratch"
mkdir -p "$scratch"
here=$(cd "$(dirname "$0")" && pwd)
set --
. "$here/window_display.sh"
cd "$scratch"

start_display
cp "$scenario" shown.json
start_viewer "$program" shown.json --size 1000x600

title_has() {
    xdotool getwindowname "$window" | grep -qF "$1"
}

# type_line TEXT: types it and Enter.
type_line() {
    xdotool type --delay 15 -- "$1"
    xdotool key Return
}

step="F12 and a name write a picture"
xdotool key F12
type_line "whole.svg"
until_true 10 test -s whole.svg || fail "there is no picture"
grep -q "</svg>" whole.svg || fail "the picture is not whole"

step="a command by its name"
xdotool key colon
type_line "filter control"
xdotool key F12
type_line "control.svg"
until_true 10 test -s control.svg || fail "there is no picture"
[ "$(wc -c <control.svg)" -lt "$(wc -c <whole.svg)" ] || fail "no row is gone"
xdotool key shift+h

step="the wheel with Ctrl zooms at the pointer"
xdotool mousemove --window "$window" 600 300
xdotool keydown ctrl click 4 click 4 click 4 keyup ctrl
xdotool key F12
type_line "zoomed.svg"
until_true 10 test -s zoomed.svg || fail "there is no picture"
if cmp -s zoomed.svg whole.svg; then fail "nothing is larger"; fi

step="0 shows the whole run again"
xdotool key 0
xdotool key F12
type_line "again.svg"
until_true 10 test -s again.svg || fail "there is no picture"
cmp again.svg whole.svg || fail "it is another picture"

step="a drag with the right button zooms"
xdotool mousemove --window "$window" 400 300 mousedown 3
xdotool mousemove --window "$window" 500 310 mousemove --window "$window" 600 300 mouseup 3
xdotool key F12
type_line "dragged.svg"
until_true 10 test -s dragged.svg || fail "there is no picture"
if cmp -s dragged.svg whole.svg; then fail "nothing is larger"; fi

step="o simulates with another policy"
xdotool key o
type_line "hardware"
until_true 10 title_has hardware || fail "the title does not say so"

step="a file that changes is read again"
sed 's/"horizon": "2s"/"horizon": "1s"/' "$scenario" >shown.new
cmp -s shown.new "$scenario" && fail "the scenario has no such horizon"
mv shown.new shown.json
sleep 1.5
xdotool key 0
xdotool key F12
type_line "reread.svg"
until_true 10 test -s reread.svg || fail "there is no picture"
if cmp -s reread.svg whole.svg; then fail "it is the old picture"; fi

step="another size of the window"
xdotool windowsize "$window" 700 500
sleep 0.5
xdotool key F12
type_line "smaller.svg"
until_true 10 test -s smaller.svg || fail "there is no picture"
head -c 400 smaller.svg | grep -q 'width="700' || fail "the picture is not so wide"

# Clock ticks of the process, in user mode and in the system.
ticks() {
    sed 's/.*) //' "/proc/$viewer/stat" | awk '{ print $12 + $13 }'
}

step="at rest"
xdotool mousemove 1300 850
sleep 1
before=$(ticks)
sleep 3
after=$(ticks)
[ $((after - before)) -le 2 ] || fail "it took $((after - before)) clock ticks in 3 s"

step="Ctrl+Q leaves"
xdotool key ctrl+q
gone() {
    ! kill -0 "$viewer" 2>/dev/null || [ "$(sed 's/.*) //' "/proc/$viewer/stat" | cut -c 1)" = Z ]
}
until_true 10 gone || fail "it is still there"
code=0
wait "$viewer" || code=$?
viewer=
[ "$code" = 0 ] || fail "exit code $code"
[ ! -s viewer.txt ] || fail "it said something"
echo "idle: $((after - before)) clock ticks in 3 s"
