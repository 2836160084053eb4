import { joinNames } from '../base/counted.ts'
import { usageFailure } from '../base/failure/failure.ts'
import { completionCard, completionDoneList, completionScriptList } from '../features/surface/completion-view.ts'
import { type Done, install, uninstall } from '../terminal/completion/shells/install.ts'
import { type InstallLocation, installLocation } from '../terminal/completion/shells/places.ts'
import { isShell, SCRIPTS, SHELLS } from '../terminal/completion/shells/scripts.ts'
import { requiredArgument } from '../terminal/input/arguments.ts'
import { toggle } from '../terminal/input/flags.ts'
import { terminalSafe } from '../terminal/render/text/safe-text.ts'
import { PartnerCommand } from '../terminal/runtime/command.ts'

export default class Completion extends PartnerCommand {
  static override summary = 'Print the script that completes commands, flags and values in your shell.'
  static override description =
    '--install writes the script to the directory where the shell looks for it, and reports each change; --uninstall reverts them all. Pressing Tab makes no request: the values come from your profiles, the contract, and the output of your recent commands.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> zsh --install',
    'source <(<%= config.bin %> <%= command.id %> bash)',
    '<%= config.bin %> <%= command.id %> fish > partner.fish',
  ]
  static override args = { shell: requiredArgument(`one of ${SHELLS.join(', ')}`) }
  static override flags = {
    install: toggle('Install the script where the shell looks for it.'),
    uninstall: toggle('Undo --install.'),
  }

  async run(): Promise<void> {
    const { args, flags, show, host } = await this.open(Completion)
    const { shell } = args
    const shells = joinNames(SHELLS, 'or')
    if (!isShell(shell))
      throw usageFailure([`SHELL must be ${shells}, not ${JSON.stringify(shell)}`], 'see partner completion --help')
    if (flags.install && flags.uninstall) throw usageFailure(['--install and --uninstall cannot be used together'])
    if (!flags.install && !flags.uninstall) {
      if (show.isPlain) return show.text(SCRIPTS[shell])
      return show.one({ shell, script: SCRIPTS[shell] }, { card: completionCard, list: completionScriptList })
    }
    const place = installLocation(shell, host.env)
    const done = flags.install ? install(shell, place) : uninstall(shell, place)
    if (!show.isPlain) return show.one({ ...done }, { card: completionCard, list: completionDoneList })
    const lines = flags.install ? installedLines(done, place) : uninstalledLines(done)
    await show.text(`${lines.map(terminalSafe).join('\n')}\n`)
  }
}

function installedLines(done: Done, { remainingStep: left }: InstallLocation): readonly string[] {
  const { shell, file, changedFile, startupFile, changedStartup, lines } = done
  const added = changedStartup ? `added to ${startupFile}:` : `these lines are already in ${startupFile}:`
  return [
    changedFile ? `wrote ${file}` : `${file} is already up to date`,
    ...(startupFile === null ? [] : [added, ...lines.map((line) => `  ${line}`)]),
    ...(left === null ? [] : [left]),
    `completion works in new ${shell} sessions; to undo this: partner completion ${shell} --uninstall`,
  ]
}

function uninstalledLines({ file, changedFile, startupFile, changedStartup }: Done): readonly string[] {
  return [
    changedFile ? `removed ${file}` : `${file} was not installed`,
    ...(changedStartup ? [`removed the partner completion lines from ${startupFile}`] : []),
  ]
}
