# What completion offers for some lines, in a shell that has loaded it: a line, "|", and the words, sorted. A line is split as bash does it, at = and :, too.
# _ ends a line that ends in a blank.

# offer LINE: calls the function that completes the line's program, and prints what it offers.
offer() {
    local line=${1%_} rest piece
    COMP_LINE=$line COMP_POINT=${#line} COMP_WORDS=() COMPREPLY=()
    rest=$line
    while [[ $rest ]]; do
        if [[ $rest == [[:blank:]]* ]]; then
            rest=${rest#"${rest%%[![:blank:]]*}"}
            [[ $rest ]] || COMP_WORDS+=("")
            continue
        elif [[ $rest == [=:]* ]]; then
            piece=${rest%%[!=:]*}
        else
            piece=${rest%%[[:blank:]=:]*}
        fi
        COMP_WORDS+=("$piece")
        rest=${rest#"$piece"}
    done
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    local program=${COMP_WORDS[0]}
    "_${program//-/_}"
    printf '%s|%s\n' "$1" "$(printf '%s\n' "${COMPREPLY[@]}" | LC_ALL=C sort | tr '\n' ' ' | sed 's/ $//')"
}
