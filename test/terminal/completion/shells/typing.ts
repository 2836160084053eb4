import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { SCRIPTS, type Shell } from '../../../../src/terminal/completion/shells/scripts.ts'
import { LIMIT_MS } from '../../../support/limit.ts'
import { isRequired, type Need } from '../../../support/needs.ts'
import { freshDirectory, freshHome, NODE, PARTNER } from '../../../support/partner.ts'
import { runLineInTerminal } from '../../../support/terminal.ts'

export type TypedShell = Exclude<Shell, 'powershell'>

/** Returns the requirement that the given shell is installed. */
export function installed(shell: TypedShell): Need {
  const { status } = spawnSync(shell, ['-c', 'exit'], { stdio: 'ignore', timeout: LIMIT_MS })
  return { isMet: shell === 'bash' || isRequired(shell) || status === 0, lack: `${shell} is not installed` }
}

/**
 * The directory where zsh caches its own completions. All tests share it, because filling it takes longer than a test.
 */
const zshLists = mkdtempSync(join(tmpdir(), 'partner-zsh-'))
process.once('exit', () => rmSync(zshLists, { recursive: true, force: true }))

/**
 * How to start each shell. `setup` loads the completion script, sets a prompt to wait for, and defines `show`, which
 * prints its arguments.
 */
const STARTS: Readonly<Record<TypedShell, { readonly command: string; readonly setup: string }>> = {
  bash: {
    command: 'bash --noprofile --rcfile setup.bash -i',
    setup: `source script.bash
show() { printf '<%s>' "$@"; printf '\\n%s\\n' 'that is all'; }
bind 'set show-all-if-ambiguous on' 'set enable-bracketed-paste off'
PS1='ready> '
`,
  },
  zsh: {
    command: 'ZDOTDIR=$PWD/zsh zsh -i',
    setup: `autoload -Uz compinit && compinit -u -d ${zshLists}/dump
source script.zsh
show() { printf '<%s>' "$@"; printf '\\n%s\\n' 'that is all'; }
unset zle_bracketed_paste
PS1='ready> '
`,
  },
  fish: {
    command: 'fish --no-config -i -C "source setup.fish"',
    setup: `source script.fish
function show; printf '<%s>' $argv; printf '\\n%s\\n' 'that is all'; end
function fish_prompt; echo 'ready> '; end
function fish_greeting; end
set -g fish_autosuggestion_enabled 0
`,
  },
}

/** Prepares a shell for typing commands, with a directory of files, a home directory, and `partner` on the path. */
export function typist(shell: TypedShell) {
  const directory = freshDirectory()
  const home = freshHome()
  const bin = join(directory, 'bin')
  mkdirSync(bin)
  mkdirSync(join(directory, 'zsh'))
  writeFileSync(join(bin, 'partner'), `#!/bin/sh\nexec '${NODE}' '${PARTNER}' "$@"\n`, { mode: 0o755 })
  symlinkSync(NODE, join(bin, 'node'))
  const { command, setup } = STARTS[shell]
  writeFileSync(join(directory, `script.${shell}`), SCRIPTS[shell])
  writeFileSync(join(directory, shell === 'zsh' ? 'zsh/.zshrc' : `setup.${shell}`), setup)
  for (const name of ['sale.json', 'two words.json']) writeFileSync(join(directory, name), '{}')
  mkdirSync(join(directory, 'sales'))
  const env = { ...home, HOME: directory, PATH: `${bin}:${dirname(NODE)}:${process.env['PATH']}`, TERM: 'xterm' }
  const type = (keys: string, appears: string) =>
    runLineInTerminal(
      `cd '${directory}'; ${command}`,
      [
        ['ready> ', keys],
        // Ctrl-U clears the line, and `exit` ends the shell.
        [appears, '\u0015exit\r'],
      ],
      env,
    )
  return {
    directory,
    home,
    /** Returns the words that a program would receive from a typed line. The line can contain Tab characters. */
    async wordsOf(line: string): Promise<readonly string[]> {
      // Ctrl-A moves to the start of the line, where `show` is inserted. `show` prints the words instead of executing
      // them.
      const { screen } = await type(`${line}\u0001show \r`, 'that is all')
      const [, shown = ''] = /^(<partner>.*?)\r?$/m.exec(screen.replace(/\r+/g, '\n')) ?? []
      return [...shown.matchAll(/<(.*?)>/g)].map(([, word = '']) => word)
    },
    /** Types a line that contains Tab characters. Returns the screen once the given text appears. */
    async screenOf(line: string, appears: string): Promise<string> {
      return (await type(line, appears)).screen
    },
  }
}
