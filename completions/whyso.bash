# bash completion for whyso. The words come from its own help, so they are never out of date.

_whyso() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command='' words i
    local commands
    commands=$("$1" --help 2>/dev/null | sed -n '/^usage/,/^The environment/s/^  \([a-z]*\) .*/\1/p')
    for ((i = 1; i < COMP_CWORD && ${#command} == 0; i++)); do
        [[ " ${commands//$'\n'/ } " == *" ${COMP_WORDS[i]} "* ]] && command=${COMP_WORDS[i]}
    done
    case $before in
        -f | --format) words="text json ndjson sarif github" ;;
        --fail-on) words="error warning note never" ;;
        --color) words="auto always never" ;;
        --only) words="resolve imports" ;;
        --driver) words="auto none assume" ;;
        --baseline | --write-baseline | --config)
            mapfile -t COMPREPLY < <(compgen -f -- "$word")
            return
            ;;
        explain | --ignore)
            words=$("$1" rules -f ndjson 2>/dev/null |
                sed -n 's/.*"rule":"\([a-z-]*\)","severity".*/\1/p')
            ;;
        *)
            if [[ $word == -* ]]; then
                words=$({ "$1" --help && "$1" help ${command:+"$command"}; } 2>/dev/null |
                    grep -oE '^ +(-[a-z], )?--[a-z-]+' | grep -oE -e '--[a-z-]+' | sort -u)
            elif [[ -z $command ]]; then
                words="$commands help"
            else
                mapfile -t COMPREPLY < <(compgen -f -- "$word")
                return
            fi
            ;;
    esac
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -o filenames -F _whyso whyso
