import { Failure } from '../../../base/failure/failure.ts'
import { Interrupted } from '../../../base/failure/interrupted.ts'
import { hideSecrets } from '../../../base/redaction/redaction.ts'
import type { DoctorRow } from '../output.ts'
import { type DoctorState, type Examination, isInside, type Section } from './examination.ts'
import { type Finding, fail, failureLine, skipAfter } from './finding.ts'
import { growthSection } from './growth/growth.ts'
import { ledgerSection } from './ledger.ts'
import { dataDirectorySection, nodeSection, paceSection } from './machine.ts'
import { proxySection, resolvingSection, tcpSection } from './network/connection.ts'
import { tlsSection } from './network/tls.ts'
import { operationsSection, syncSection } from './records.ts'
import { answerSection } from './service/answer.ts'
import { signingSection } from './service/signing.ts'
import { webhooksSection } from './service/webhooks.ts'
import { configurationSection, profileSection } from './settings/profiles.ts'
import { modesSection, secretsSection } from './settings/secrets.ts'

/** All sections, ordered from this machine outwards, so that the first failed row is the cause of later failures. */
const SECTIONS: readonly Section[] = [
  ...[nodeSection, dataDirectorySection, paceSection],
  ...[configurationSection, profileSection, modesSection, secretsSection],
  ...[proxySection, resolvingSection, tcpSection, tlsSection],
  ...[answerSection, webhooksSection, signingSection],
  ...[operationsSection, ledgerSection, syncSection, growthSection],
]

/**
 * Checks everything between this machine and the service. Yields one row for each check. Reads each endpoint once and
 * changes nothing. If a failure makes a later check impossible, the row for that check has the status `skip` and names
 * the failed row. Throws only Interrupted.
 */
export async function* examine(given: Examination): AsyncGenerator<DoctorRow> {
  const known: DoctorState = { settings: null, proxy: null, socket: null, session: null }
  const causes = new Map<string, string>()
  try {
    for (const section of SECTIONS) {
      const needs = [...section.needs, ...(isInside(known) ? (section.needsInside ?? []) : [])]
      const cause = needs.flatMap((name) => causes.get(name) ?? [])[0]
      const findings = cause === undefined ? runSection(section, given, known) : skipRows(section.rows, cause)
      for await (const finding of findings) {
        const reason = finding.status === 'fail' ? finding.name : finding.because
        if (reason !== undefined) causes.set(finding.name, reason)
        yield rowOf(finding, given.around.hidden())
      }
    }
  } finally {
    known.socket?.destroy()
    await known.session?.close()
  }
}

function* skipRows(names: readonly string[], cause: string): Generator<Finding> {
  for (const name of names) yield skipAfter(name, cause)
}

/** Runs a section. If the section throws, its current row fails and its later rows are skipped. */
async function* runSection(section: Section, given: Examination, known: DoctorState): AsyncGenerator<Finding> {
  const left = new Set(section.rows)
  try {
    for await (const finding of section.examine(given, known)) {
      left.delete(finding.name)
      yield finding
    }
  } catch (error) {
    if (error instanceof Interrupted) throw error
    given.around.signal.throwIfAborted()
    const [name = section.rows[0] ?? 'doctor', ...others] = left
    yield fail(name, errorText(error), error instanceof Failure ? (error.hint ?? null) : null)
    yield* skipRows(others, name)
  }
}

function errorText(error: unknown): string {
  if (error instanceof Failure) return failureLine(error)
  return error instanceof Error ? error.message : String(error)
}

function rowOf({ name, status, message, next }: Finding, secrets: readonly string[]): DoctorRow {
  const clean = (text: string) => hideSecrets(text.replace(/\s*\n\s*/g, ' '), secrets)
  return { name, status, message: clean(message), next: next === null ? null : clean(next) }
}
