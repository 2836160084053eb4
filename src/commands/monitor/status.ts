import { MONITOR_STATUS_FLAGS } from '../../features/monitor/flags.ts'
import { showMonitorStatus } from '../../features/monitor/status.ts'
import { requiredArgument } from '../../terminal/input/arguments.ts'
import { PROFILE_FLAGS } from '../../terminal/input/flags.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class MonitorStatus extends PartnerCommand {
  static override summary = "Show which of a monitor's checks are failing and when they began to fail."
  static override description =
    'The command shows what the monitor found at its last evaluations. It evaluates nothing and locks nothing, so it can run while the monitor runs. A check is unknown if it has not been evaluated or cannot be evaluated. A check that has failed, but not yet for the time set with "for", is still ok, and pendingSince says when it began to fail.'
  static override examples = [
    "echo 'checks: [{ name: service, doctor: [service, key] }]' > checks.yaml && <%= config.bin %> <%= command.id %> checks.yaml --json",
  ]
  static override args = { file: requiredArgument('YAML or JSON file with the checks') }
  static override baseFlags = PROFILE_FLAGS
  static override flags = MONITOR_STATUS_FLAGS

  async run(): Promise<void> {
    await showMonitorStatus(await this.open(MonitorStatus))
  }
}
