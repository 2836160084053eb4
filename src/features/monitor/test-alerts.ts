import { randomBytes } from 'node:crypto'
import { Failure, usageFailure } from '../../base/failure/failure.ts'
import { formatCommand } from '../../base/failure/suggested.ts'
import { type Alert, alertLine } from '../../monitor/alerts/alert.ts'
import type { Destination } from '../../monitor/alerts/destination.ts'
import { readMonitorFile } from '../../monitor/file/read-file.ts'
import { environmentOfChild } from '../../terminal/runtime/child/child-environment.ts'
import type { Opened } from '../../terminal/runtime/run.ts'
import { counted } from '../shared/views/wording.ts'
import type { VenueChoice } from './flags.ts'
import type { TestResult } from './output.ts'
import { openFor, variablesIn } from './run.ts'
import { chooseVenues } from './venues.ts'
import { testList } from './views.ts'

/**
 * Sends a test alert to each destination, without retries. Throws PARTIAL_FAILURE if a destination did not
 * accept the alert. Also throws USAGE and NO_PROFILE.
 */
export async function testAlerts(opened: Opened<VenueChoice, { readonly file: string }>): Promise<void> {
  const { args, flags, host, show } = opened
  const file = await readMonitorFile(args.file, host.signal)
  if (file.alerts.length === 0)
    throw usageFailure(
      [`${args.file} has no alert destinations`],
      'add one, such as alerts: [ { file: alerts.ndjson } ]',
      'monitor',
    )
  const profile = chooseVenues(flags, host)[0]?.profile ?? null
  const commandEnv = await environmentOfChild(host, variablesIn(file.alerts))
  const destinations = await openFor(file, commandEnv, opened)
  const at = new Date(host.now()).toISOString()
  const message = `this is a test alert for ${file.path}; nothing is wrong`
  const next = formatCommand`monitor status ${file.path}`
  const alert: Alert = {
    id: randomBytes(16).toString('hex'),
    check: 'test',
    change: 'test',
    since: at,
    at,
    profile,
    message,
    next,
  }
  const results = await Promise.all(destinations.map((one) => tryDestination(one, alert)))
  await show.all(results, testList)
  const failed = results.filter(({ delivered }) => !delivered)
  if (failed.length === 0) return
  throw new Failure(
    'PARTIAL_FAILURE',
    `${failed.length} of ${counted(results.length, 'destination', 'destinations')} did not accept the alert`,
    {
      hint: 'correct the destination in the file, then run the command again',
      details: { failed: failed.map(({ destination, problem }) => ({ destination, problem })) },
    },
  )
}

async function tryDestination({ kind, name, deliver }: Destination, alert: Alert): Promise<TestResult> {
  const problem = await deliver({ id: alert.id, line: alertLine(alert) })
  return { kind: kind as TestResult['kind'], destination: name, delivered: problem === null, problem }
}
