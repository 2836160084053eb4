import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monotonicMs } from '../../base/stopwatch.ts'
import { discard } from '../../base/storage/rename-remove.ts'
import type { JournalEntry } from '../../sandbox/journal/journal.ts'
import { JournalHash } from '../../sandbox/journal/journal-hash.ts'
import { Bench, type Candidate } from './bench/bench.ts'
import { Evidence, type EvidenceRow } from './bench/evidence.ts'

/** An item on the checklist for integrations. */
export interface Item {
  /** A stable identifier: lower-case words joined by hyphens. */
  readonly id: string
  readonly name: string
  /** How to fix an integration that fails this item, in a few sentences. */
  readonly mend: string
  /**
   * Tests the integration against a sandbox and records problems as findings. Can open more sandboxes whose clocks are
   * set to other times.
   */
  readonly check: (bench: Bench, open: OpenBench) => Promise<void>
}

/**
 * Opens a test bench. `startAt` is the venue's initial time, in milliseconds since 1970. It defaults to the machine's
 * current time.
 */
export type OpenBench = (startAt?: number) => Promise<Bench>

export interface CertifiedItem extends Pick<Item, 'id' | 'name' | 'mend'> {
  readonly status: 'passed' | 'failed'
  /** All observations, in order. Observations of kind `finding` are problems. */
  readonly evidence: readonly EvidenceRow[]
}

/**
 * The result of testing an item, the text of each finding, and the duration in milliseconds. An item without findings
 * has passed.
 */
export type TriedItem = Readonly<Awaited<ReturnType<Certification['try']>>>

const MEND_SILENT =
  'The integration sent no requests. Run it on its own with a line such as {"do":"poll"} on standard input, and check its output: it must read the line and call the URL in PARTNER_BASE_URL. If it does not support every item, choose the items that it supports with --only.'

/** A run that certifies an integration, one item at a time. */
export class Certification {
  readonly #candidate: Candidate
  readonly #hash = new JournalHash()
  #entries = 0

  constructor(candidate: Candidate) {
    this.#candidate = candidate
  }

  /**
   * The length of the journal and its SHA-256 hash in lower-case hexadecimal. The journal contains all requests that
   * the integration sent.
   */
  get journal(): { readonly hash: string; readonly entries: number } {
    return { hash: this.#hash.digest, entries: this.#entries }
  }

  /** Tests one item with a new directory and a new sandbox. If the run is aborted, throws the signal's reason. */
  async try({ id, name, mend, check }: Item) {
    const started = monotonicMs()
    const evidence = new Evidence()
    const root = mkdtempSync(join(tmpdir(), 'partner-certify-'))
    const benches: Bench[] = []
    const record = (entry: JournalEntry) => {
      evidence.noteRequest(entry)
      this.#hash.add(entry)
      this.#entries += 1
    }
    const open: OpenBench = async (startAt) => {
      const directory = join(root, String(benches.length + 1))
      mkdirSync(directory)
      const bench = await Bench.open({ candidate: this.#candidate, evidence, directory, record, startAt })
      benches.push(bench)
      return bench
    }
    try {
      await check(await open(), open)
    } finally {
      for (const bench of benches) await bench.close()
      discard(root)
    }
    const { findings, rows, isSilent } = evidence
    const status = findings.length === 0 ? 'passed' : 'failed'
    // If the integration sent no requests, replace the item's advice and keep only the first finding. The others merely
    // follow from the missing requests.
    const isIdle = status === 'failed' && isSilent
    const item: CertifiedItem = { id, name, status, evidence: rows, mend: isIdle ? MEND_SILENT : mend }
    return { item, findings: isIdle ? findings.slice(0, 1) : findings, ms: Math.round(monotonicMs() - started) }
  }
}
