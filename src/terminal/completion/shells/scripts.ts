import { BASH } from './bash.ts'
import { FISH } from './fish.ts'
import { POWERSHELL } from './powershell.ts'
import { ZSH } from './zsh.ts'

/** The shells that there is completion for. */
export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const
export type Shell = (typeof SHELLS)[number]

/** What each of them runs: a function that asks `partner __complete`, and its registration. */
export const SCRIPTS: Readonly<Record<Shell, string>> = { bash: BASH, zsh: ZSH, fish: FISH, powershell: POWERSHELL }

export function isShell(name: string): name is Shell {
  return (SHELLS as readonly string[]).includes(name)
}
