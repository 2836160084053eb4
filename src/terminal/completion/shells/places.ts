import { existsSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { dataDirectory, homeDirectory, type Variables } from '../../../base/storage/directories.ts'
import type { Shell } from './scripts.ts'

export interface InstallLocation {
  readonly file: string
  /** The file that the shell runs at startup, or `null` if partner must not change it. */
  readonly startupFile: string | null
  readonly lines: readonly string[]
  /** The step that users must still carry out themselves, or `null` if none remains. */
  readonly remainingStep: string | null
}

const BASH_COMPLETION = [
  '/usr/share/bash-completion/bash_completion',
  '/usr/local/share/bash-completion/bash_completion',
  '/opt/homebrew/share/bash-completion/bash_completion',
  '/etc/profile.d/bash_completion.sh',
]

/** Returns where to install the script for this user. Throws INTERNAL if the user has no home directory. */
export function installLocation(
  shell: Shell,
  env: Variables,
  platform: NodeJS.Platform = process.platform,
): InstallLocation {
  const home = homeDirectory(env, platform)
  const given = (variable: string, usual: string) => {
    const path = env[variable]
    return path !== undefined && isAbsolute(path) ? path : usual
  }
  const data = given('XDG_DATA_HOME', join(home, '.local', 'share'))
  const config = given('XDG_CONFIG_HOME', join(home, '.config'))
  switch (shell) {
    case 'bash': {
      const file = join(given('BASH_COMPLETION_USER_DIR', join(data, 'bash-completion')), 'completions', 'partner')
      const lines = [`source ${quoted(file)}`]
      const startupFile = join(home, platform === 'darwin' ? '.bash_profile' : '.bashrc')
      const isLoaded = BASH_COMPLETION.some((path) => existsSync(path))
      const left = `if Tab does not complete anything, add this line to ${startupFile}: ${lines[0]}`
      return isLoaded
        ? { file, startupFile, lines: [], remainingStep: left }
        : { file, startupFile, lines, remainingStep: null }
    }
    case 'zsh': {
      const file = join(data, 'zsh', 'site-functions', '_partner')
      const lines = ['(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }', `source ${quoted(file)}`]
      return { file, startupFile: join(given('ZDOTDIR', home), '.zshrc'), lines, remainingStep: null }
    }
    case 'fish':
      return {
        file: join(config, 'fish', 'completions', 'partner.fish'),
        startupFile: null,
        lines: [],
        remainingStep: null,
      }
    case 'powershell': {
      const isWindows = platform === 'win32'
      const folder = isWindows ? join(dataDirectory(env, platform), 'completion') : join(config, 'powershell')
      const file = join(folder, isWindows ? 'partner.ps1' : 'partner-completion.ps1')
      const line = `. '${file.replaceAll("'", "''")}'`
      // On Windows, the documents folder may be anywhere, so only PowerShell knows where its profile is.
      if (isWindows)
        return {
          file,
          startupFile: null,
          lines: [],
          remainingStep: `add this line to the file that $PROFILE names: ${line}`,
        }
      return { file, startupFile: join(folder, 'Microsoft.PowerShell_profile.ps1'), lines: [line], remainingStep: null }
    }
  }
}

function quoted(path: string): string {
  return `'${path.replaceAll("'", "'\\''")}'`
}
