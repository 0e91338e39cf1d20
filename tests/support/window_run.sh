#!/bin/sh
# window_run.sh PROGRAM SCRATCH SCENARIO: the window program in a real window, under Xvfb, with keys and a mouse by xdotool. What it
# did is seen by its effects: files that it wrote, its title, its exit code. At rest it must take no time of the processor.
# Exit code 77: skipped, since Xvfb or xdotool are missing.
set -eu

program=$1
scratch=$2
scenario=$3

for tool in Xvfb xdotool; do
    if ! command -v "$tool" >/dev/null; then
        echo "skipped: $tool is missing (packages xvfb and xdotool)"
        exit 77
    fi
done

server=
viewer=
finish() {
    code=$?
    trap - EXIT INT TERM
    [ -z "$viewer" ] || kill -KILL "$viewer" 2>/dev/null || true
    [ -z "$server" ] || kill -TERM "$server" 2>/dev/null || true # which removes its lock file
    [ -z "$server" ] || wait "$server" 2>/dev/null || true
    if [ "$code" != 0 ]; then
        echo "failed at: $step"
        cat "$scratch/server.txt" "$scratch/viewer.txt" 2>/dev/null || true
    fi
    exit "$code"
}
step="start"
trap finish EXIT
trap 'exit 1' INT TERM

fail() {
    step="$step: $*"
    exit 1
}

# until SECONDS COMMAND...: tries it again until it succeeds.
until_true() {
    tries=$(($1 * 20))
    shift
    while ! "$@" >/dev/null 2>&1; do
        tries=$((tries - 1))
        [ "$tries" -gt 0 ] || return 1
        sleep 0.05
    done
}

rm -rf "$scratch"
mkdir -p "$scratch"
cd "$scratch"

step="the server"
# It picks a free display by itself and writes its number.
Xvfb -noreset -displayfd 3 -screen 0 1400x900x24 -nolisten tcp 3>display.txt >server.txt 2>&1 &
server=$!
until_true 20 test -s display.txt || fail "does not start"
DISPLAY=:$(cat display.txt)
export DISPLAY
unset WAYLAND_DISPLAY

step="the window"
cp "$scenario" shown.json
# Sanitizers are to look for no leaks in SDL and the drivers that it loads.
SDL_VIDEODRIVER=x11 ASAN_OPTIONS=detect_leaks=0 "$program" shown.json --size 1000x600 >viewer.txt 2>&1 &
viewer=$!
until_true 30 xdotool search --onlyvisible --name 'gpurt-view' || fail "is not there"
window=$(xdotool search --onlyvisible --name 'gpurt-view' | head -n 1)
kill -0 "$viewer" || fail "is gone"

# Without a window manager nobody gives it the keyboard.
xdotool windowmove --sync "$window" 0 0 2>/dev/null || true
xdotool windowfocus "$window"
sleep 0.3

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
