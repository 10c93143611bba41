# Completes command lines as readline has bash do it, and prints what the completion functions find, and which options they set.
export BASH_COMPLETION_COMPAT_DIR=/nonexistent XDG_DATA_DIRS=/nonexistent
. "$P/bash-completion/usr/share/bash-completion/bash_completion"
compopt() { printf 'compopt %s\n' "$*"; }

complete_line() {
    local rest=$1 spec word="[^[:blank:]=:><|&;(\"'\\]" words=() IFS=$' \t\n'
    while [[ $rest ]]; do
        if [[ $rest =~ ^[[:blank:]]+ ]]; then
            rest=${rest:${#BASH_REMATCH}}
            [[ $rest ]] || words+=('')
            continue
        fi
        [[ $rest =~ ^[=:\>\<\|\&\;\(]+ ]] || [[ $rest =~ ^($word|\"[^\"]*(\"|$)|\'[^\']*(\'|$)|\\.)+ ]]
        words+=("$BASH_REMATCH")
        rest=${rest:${#BASH_REMATCH}}
    done
    COMP_LINE=$1 COMP_POINT=${#1} COMP_WORDS=("${words[@]}") COMP_CWORD=$((${#words[@]} - 1)) COMP_TYPE=9 COMP_KEY=9 COMPREPLY=()
    complete -p "${words[0]}" &>/dev/null || _completion_loader "${words[0]}"
    spec=$(complete -p "${words[0]}")
    [[ $spec =~ -F\ ([^ ]+) ]] || { echo "no function for $1"; return; }
    "${BASH_REMATCH[1]}" "${words[0]}" "${words[COMP_CWORD]}" "${words[COMP_CWORD - 1]}"
    echo "[$1] $? ${#COMPREPLY[@]}"
    printf '  %q\n' "${COMPREPLY[@]}" | sort
}

mkdir -p dir/sub .hidden
touch 'a file.txt' b.c c.tar.gz dir/x.py dir/y.c 'it'\''s' .rc
