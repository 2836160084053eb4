import { testAlerts } from '../../features/monitor/test-alerts.ts'
import { requiredArgument } from '../../terminal/input/arguments.ts'
import { PROFILE_FLAGS } from '../../terminal/input/flags.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class MonitorTest extends PartnerCommand {
  static override summary = 'Send a test alert to every destination of a monitor.'
  static override description =
    'The alert takes the same path as a real one, but its change is "test". Each destination gets one attempt. The exit code is 11 if a destination did not accept the alert. No check is evaluated, and a monitor may run meanwhile.'
  static override examples = [
    "echo '{ alerts: [{ file: alerts.ndjson }], checks: [{ name: service, doctor: all }] }' > checks.yaml && <%= config.bin %> <%= command.id %> checks.yaml",
  ]
  static override args = { file: requiredArgument('YAML or JSON file with the checks') }
  static override baseFlags = PROFILE_FLAGS

  async run(): Promise<void> {
    await testAlerts(await this.open(MonitorTest))
  }
}
