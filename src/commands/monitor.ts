import { MONITOR_FLAGS } from '../features/monitor/flags.ts'
import { monitor } from '../features/monitor/run.ts'
import { requiredArgument } from '../terminal/input/arguments.ts'
import { PING_FLAG, PROFILE_FLAGS } from '../terminal/input/flags.ts'
import { PartnerCommand } from '../terminal/runtime/command.ts'

export default class Monitor extends PartnerCommand {
  static override summary = 'Check unattended jobs and send an alert when a check fails or recovers.'
  static override description =
    `FILE lists the checks and the destinations of alerts, in YAML or JSON. There is one alert when a fault begins and one when it ends. The state is durable: a restart neither repeats nor forgets an alert, and an alert that cannot be delivered is kept and sent again later.

Without --once, the command runs until it is stopped: Ctrl-C or SIGTERM ends it with exit code 0. With --once, for cron, it exits with code 11 if a check fails. A check that cannot be evaluated counts as failed. Each change is reported on a line of stderr. Only one monitor at a time can use a file: a second one exits with code 12. FILE is read only at the start.

With --profiles, each check runs for each venue, and {profile} in file names is replaced with the name of the profile. More: partner help monitor`
  static override examples = [
    "echo 'checks: [{ name: service, doctor: [service, key] }]' > checks.yaml && <%= config.bin %> <%= command.id %> checks.yaml --once",
    "echo 'checks: [{ name: open, operations: { open-longer-than: 15m }, for: 5m }]' > checks.yaml && <%= config.bin %> <%= command.id %> checks.yaml --profiles sandbox --once --prom partner-checks.prom",
  ]
  static override args = { file: requiredArgument('YAML or JSON file with the checks') }
  static override baseFlags = PROFILE_FLAGS
  static override flags = { ...MONITOR_FLAGS, ...PING_FLAG }

  async run(): Promise<number> {
    return monitor(await this.open(Monitor))
  }
}
