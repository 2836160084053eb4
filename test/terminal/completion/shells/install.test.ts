import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { install, uninstall } from '../../../../src/terminal/completion/shells/install.ts'
import { installLocation } from '../../../../src/terminal/completion/shells/places.ts'
import { SCRIPTS, SHELLS, type Shell } from '../../../../src/terminal/completion/shells/scripts.ts'
import { placeOddFile } from '../../../support/odd-files.ts'
import { freshDirectory, runPartner } from '../../../support/partner.ts'
import { expectRefusal } from '../../../support/refusal.ts'

const homeOf = (directory: string) => ({ HOME: directory, PARTNER_CACHE_DIR: join(directory, 'cache') })
const complete = (directory: string, ...args: string[]) =>
  runPartner(['completion', ...args], { env: homeOf(directory) })

describe.each(SHELLS)('installation of the completion script for %s', (shell: Shell) => {
  test(`completion ${shell} prints the script that --install writes`, async () => {
    const home = freshDirectory()
    expect(await complete(home, shell)).toEqual({ code: 0, stdout: SCRIPTS[shell], stderr: '' })
    expect(await complete(home, shell, '--install')).toMatchObject({ code: 0, stderr: '' })
    expect(readFileSync(installLocation(shell, homeOf(home)).file, 'utf8')).toBe(SCRIPTS[shell])
  })

  test(`a second --install for ${shell} changes nothing, and --uninstall restores the startup file`, async () => {
    const home = freshDirectory()
    const { file, startupFile } = installLocation(shell, homeOf(home))
    const own = 'caf\u00e9="\u00e9"'
    if (startupFile !== null) {
      mkdirSync(dirname(startupFile), { recursive: true })
      // This content has no trailing newline and is not valid UTF-8.
      writeFileSync(startupFile, own, 'latin1')
    }
    const first = await complete(home, shell, '--install')
    expect(first.stdout).toContain(`wrote ${file}`)
    expect(first.stdout).toContain(`to undo this: partner completion ${shell} --uninstall`)
    const after = startupFile === null ? '' : readFileSync(startupFile, 'latin1')
    for (const line of after.split('\n').slice(1)) expect(first.stdout).toContain(line)
    const second = await complete(home, shell, '--install', '--json')
    expect(JSON.parse(second.stdout)).toMatchObject({ changedFile: false, changedStartup: false })
    if (startupFile !== null) expect(readFileSync(startupFile, 'latin1')).toBe(after)
    expect(await complete(home, shell, '--uninstall')).toMatchObject({ code: 0, stderr: '' })
    expect(existsSync(file)).toBe(false)
    if (startupFile !== null) expect(readFileSync(startupFile, 'latin1').trimEnd()).toBe(own)
    expect((await complete(home, shell, '--uninstall')).stdout).toContain('was not installed')
  })
})

test("the shell's environment variables determine where its completion script is installed", () => {
  const env = {
    HOME: '/home/ada',
    XDG_DATA_HOME: '/data',
    XDG_CONFIG_HOME: '/config',
    ZDOTDIR: '/zsh',
    BASH_COMPLETION_USER_DIR: '/bash',
  }
  expect(installLocation('bash', env, 'linux').file).toBe('/bash/completions/partner')
  expect(installLocation('bash', { HOME: '/home/ada' }, 'linux').file).toBe(
    '/home/ada/.local/share/bash-completion/completions/partner',
  )
  expect(installLocation('zsh', env, 'linux')).toMatchObject({
    file: '/data/zsh/site-functions/_partner',
    startupFile: '/zsh/.zshrc',
  })
  expect(installLocation('fish', env, 'linux').file).toBe('/config/fish/completions/partner.fish')
  expect(installLocation('powershell', env, 'linux').startupFile).toBe(
    '/config/powershell/Microsoft.PowerShell_profile.ps1',
  )
  expect(installLocation('bash', { HOME: '/h', XDG_DATA_HOME: 'relative' }, 'linux').file).toMatch(/^\/h\//)
})

test("completion --install preserves a startup file's mode and the symbolic link to the file", () => {
  const home = freshDirectory()
  const kept = join(freshDirectory(), 'zshrc')
  writeFileSync(kept, 'mine\n', { mode: 0o640 })
  symlinkSync(kept, join(home, '.zshrc'))
  const place = installLocation('zsh', homeOf(home))
  install('zsh', place)
  expect(lstatSync(join(home, '.zshrc')).isSymbolicLink()).toBe(true)
  expect(lstatSync(kept).mode & 0o777).toBe(0o640)
  expect(readFileSync(kept, 'utf8')).toMatch(/^mine\n# >>> partner completion >>>/)
  uninstall('zsh', place)
  expect(readFileSync(kept, 'utf8')).toBe('mine\n')
})

test('completion --install and --uninstall do not change a file that partner did not write', async () => {
  const home = freshDirectory()
  const { file } = installLocation('fish', homeOf(home))
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, '# mine\n')
  for (const flag of ['--install', '--uninstall'])
    expectRefusal(await complete(home, 'fish', flag), { code: 2, says: 'was not changed', next: 'remove it yourself' })
  expect(readFileSync(file, 'utf8')).toBe('# mine\n')
})

test.each(['a named pipe', 'a directory'] as const)(
  'completion --install refuses %s as a startup file without waiting for it',
  async (kind) => {
    const home = freshDirectory()
    await placeOddFile(kind, join(home, '.zshrc'))
    expectRefusal(await complete(home, 'zsh', '--install'), { code: 2, says: '.zshrc', next: /./ })
  },
)

test.each([
  [['ksh'], 'SHELL must be bash, zsh, fish or powershell, not "ksh"'],
  [[], 'missing argument SHELL'],
  [['bash', '--install', '--uninstall'], '--install and --uninstall cannot be used together'],
])('partner completion refuses the arguments %j', async (args, says) => {
  expectRefusal(await complete(freshDirectory(), ...args), { code: 2, says, next: /./ })
})

test('the PowerShell completion script quotes inserted text and never executes text as code', () => {
  const { powershell } = SCRIPTS
  expect(powershell).not.toMatch(/Invoke-Expression|\biex\b/)
  expect(powershell).toContain('EscapeSingleQuotedStringContent')
  const count = (letter: string) => powershell.split(letter).length
  expect([count('{'), count('(')]).toEqual([count('}'), count(')')])
})

test.each(['bash', 'zsh', 'fish'] as const)('the %s completion script never executes text as code', (shell) => {
  expect(SCRIPTS[shell]).not.toMatch(/\beval\b|compgen -W|source </)
})
