# window_display.sh, to be read by scripts that try the window program: a display that nobody sees, and keys for it by xdotool.
# Needs $scratch, where it works; sets $viewer and $window. A script sets $step to what it does, for when it fails.
# Exit code 77: skipped, since Xvfb or xdotool are missing.

for tool in Xvfb xdotool "$@"; do
    if ! command -v "$tool" >/dev/null; then
        echo "skipped: $tool is missing (packages xvfb, xdotool and x11-xkb-utils)"
        exit 77
    fi
done

server=
viewer=
step="start"
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
trap finish EXIT
trap 'exit 1' INT TERM

fail() {
    step="$step: $*"
    exit 1
}

# until_true SECONDS COMMAND...: tries it again until it succeeds.
until_true() {
    tries=$(($1 * 20))
    shift
    while ! "$@" >/dev/null 2>&1; do
        tries=$((tries - 1))
        [ "$tries" -gt 0 ] || return 1
        sleep 0.05
    done
}

# It picks a free display by itself and writes its number. It stays as it is when the last window is gone: while it resets itself,
# nobody can use it.
start_display() {
    Xvfb -noreset -displayfd 3 -screen 0 1400x900x24 -nolisten tcp 3>display.txt >server.txt 2>&1 &
    server=$!
    until_true 20 test -s display.txt || fail "the server does not start"
    DISPLAY=:$(cat display.txt)
    export DISPLAY
    unset WAYLAND_DISPLAY
}

# start_viewer PROGRAM ARGUMENT...
start_viewer() {
    # Sanitizers are to look for no leaks in SDL and the drivers that it loads.
    SDL_VIDEODRIVER=x11 ASAN_OPTIONS=detect_leaks=0:handle_sigill=1 "$@" >viewer.txt 2>&1 &
    viewer=$!
    until_true 30 xdotool search --onlyvisible --name 'gpurt-view' || fail "the window is not there"
    window=$(xdotool search --onlyvisible --name 'gpurt-view' | head -n 1)
    kill -0 "$viewer" || fail "the program is gone"
    # Without a window manager nobody gives it the keyboard.
    xdotool windowmove --sync "$window" 0 0 2>/dev/null || true
    xdotool windowfocus "$window"
    sleep 0.3
}

# picture FILE.svg: has the viewer write what it shows. The keyboard has to be one that can type it.
picture() {
    xdotool key F12
    xdotool type --delay 15 -- "$1"
    xdotool key Return
    until_true 20 grep -q '</svg>' "$1" || fail "there is no $1"
}

is_gone() {
    ! kill -0 "$viewer" 2>/dev/null || [ "$(sed 's/.*) //' "/proc/$viewer/stat" | cut -c 1)" = Z ]
}

# It must leave by itself, in peace.
expect_end() {
    until_true 10 is_gone || fail "it is still there"
    code=0
    wait "$viewer" || code=$?
    viewer=
    [ "$code" = 0 ] || fail "exit code $code"
    [ ! -s viewer.txt ] || fail "it said something"
}

# Clock ticks of the process, in user mode and in the system.
ticks() {
    sed 's/.*) //' "/proc/$viewer/stat" | awk '{ print $12 + $13 }'
}
