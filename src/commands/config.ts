import { describeService, sourceOf } from '../client/profiles/effective.ts'
import { describeIgnored } from '../client/profiles/settings.ts'
import { settingList } from '../features/profiles/config-view.ts'
import { settingsOf } from '../features/shared/copies.ts'
import { describeMachine, describeRun, describeTyped } from '../features/shared/settings.ts'
import { CALL_FLAGS, LEDGER_FLAG } from '../terminal/input/flags.ts'
import { PartnerCommand } from '../terminal/runtime/command.ts'

export default class Config extends PartnerCommand {
  static override summary = 'Show the settings in effect and where each comes from.'
  static override description =
    'Each setting comes from a flag, an environment variable, a profile or a default. Add global flags to see what they change. Secrets are masked. If a secret comes from a file or a command, only its source is shown. Nothing is sent or started.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --profile sandbox --json',
    `<%= config.bin %> <%= command.id %> --timeout 2m -o csv --query "[?source=='flag']"`,
  ]
  static override baseFlags = CALL_FLAGS
  static override flags = LEDGER_FLAG

  async run(): Promise<void> {
    const { flags, host, show, say, warn } = await this.open(Config)
    const settings = settingsOf(host, flags)
    for (const warning of settings.warnings) await warn(warning)
    const remark = describeIgnored(settings)
    if (remark !== null) await say(remark)
    const all = [
      ...describeService(settings, host.env),
      ...describeRun(flags, this.argv, show.format, host),
      ...describeTyped(flags),
      ...describeMachine(host),
    ]
    const shown = all.map((setting) => ({ ...setting, source: sourceOf(setting) }))
    await show.all(shown, settingList)
  }
}
