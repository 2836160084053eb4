import { enumerated } from '../base/counted.ts'
import { usageFailure } from '../base/failure/failure.ts'
import { completionCard, completionDoneList, completionScriptList } from '../features/surface/completion-view.ts'
import { type Done, install, uninstall } from '../terminal/completion/shells/install.ts'
import { type Place, placeFor } from '../terminal/completion/shells/places.ts'
import { isShell, SCRIPTS, SHELLS } from '../terminal/completion/shells/scripts.ts'
import { requiredArgument } from '../terminal/input/arguments.ts'
import { toggle } from '../terminal/input/flags.ts'
import { terminalSafe } from '../terminal/render/text/safe-text.ts'
import { PartnerCommand } from '../terminal/runtime/command.ts'

export default class Completion extends PartnerCommand {
  static override summary = 'Print the script that completes commands, flags and values in a shell.'
  static override description =
    'With --install it is put where the shell looks, and what was done is said: nothing is written that --uninstall does not take away. A Tab makes no request: values are those of your profiles, of the contract, and what your commands last saw.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> zsh --install',
    'source <(<%= config.bin %> <%= command.id %> bash)',
    '<%= config.bin %> <%= command.id %> fish > partner.fish',
  ]
  static override args = { shell: requiredArgument(`one of ${SHELLS.join(', ')}`) }
  static override flags = { install: toggle('Put it where the shell looks.'), uninstall: toggle('Undo --install.') }

  async run(): Promise<void> {
    const { args, flags, show, host } = await this.open(Completion)
    const { shell } = args
    const shells = enumerated(SHELLS, 'or')
    if (!isShell(shell))
      throw usageFailure([`SHELL must be ${shells}, not ${JSON.stringify(shell)}`], 'see partner completion --help')
    if (flags.install && flags.uninstall) throw usageFailure(['--install and --uninstall cannot be given together'])
    if (!flags.install && !flags.uninstall) {
      if (show.isPlain) return show.text(SCRIPTS[shell])
      return show.one({ shell, script: SCRIPTS[shell] }, { card: completionCard, list: completionScriptList })
    }
    const place = placeFor(shell, host.env)
    const done = flags.install ? install(shell, place) : uninstall(shell, place)
    if (!show.isPlain) return show.one({ ...done }, { card: completionCard, list: completionDoneList })
    const lines = flags.install ? installedLines(done, place) : uninstalledLines(done)
    await show.text(`${lines.map(terminalSafe).join('\n')}\n`)
  }
}

function installedLines(done: Done, { left }: Place): readonly string[] {
  const { shell, file, changedFile, startupFile, changedStartup, lines } = done
  const added = changedStartup ? `added to ${startupFile}:` : `these lines stand in ${startupFile} already:`
  return [
    changedFile ? `wrote ${file}` : `${file} is there already`,
    ...(startupFile === null ? [] : [added, ...lines.map((line) => `  ${line}`)]),
    ...(left === null ? [] : [left]),
    `it works in the next ${shell} that you start; to undo it: partner completion ${shell} --uninstall`,
  ]
}

function uninstalledLines({ file, changedFile, startupFile, changedStartup }: Done): readonly string[] {
  return [
    changedFile ? `removed ${file}` : `${file} was not there`,
    ...(changedStartup ? [`took the lines of partner completion out of ${startupFile}`] : []),
  ]
}
