/** Runs in fish 3.0 and later. */
export const FISH = `# Completion of partner for fish. It asks partner, which answers from a table: no request is made.
function __partner_complete
    set -l word (commandline -ct)
    for line in (command partner __complete fish "$word" (commandline -pco) 2>/dev/null </dev/null)
        switch $line
            case '=*'
                string sub -s 2 -- $line
            case 'files *'
                set -l behind (string sub -s 7 -- $line)
                set -l start (string sub -l $behind -- $word)
                for file in (__fish_complete_path (string sub -s (math $behind + 1) -- $word))
                    echo $start$file
                end
        end
    end
end
complete -c partner -e
complete -c partner -f -k -a '(__partner_complete)'
`
