import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monotonicMs } from '../../base/stopwatch.ts'
import type { JournalEntry } from '../../sandbox/journal/journal.ts'
import { JournalHash } from '../../sandbox/journal/journal-hash.ts'
import { Bench, type Candidate } from './bench/bench.ts'
import { Evidence, type EvidenceRow } from './bench/evidence.ts'

/** One item of the checklist. */
export interface Item {
  /** Stable; lower-case words with hyphens. */
  readonly id: string
  readonly name: string
  /** How to fix an integration that fails it: one or two sentences. */
  readonly mend: string
  /** Tries the integration on a bench, and perhaps on others at other times, and records its problems there. */
  readonly check: (bench: Bench, open: OpenBench) => Promise<void>
}

/** Opens a bench. `startAt` is the venue's time, in milliseconds since 1970; by default, the machine's. */
export type OpenBench = (startAt?: number) => Promise<Bench>

export interface CertifiedItem extends Pick<Item, 'id' | 'name' | 'mend'> {
  readonly status: 'passed' | 'failed'
  /** The observations in order. Rows of the kind `finding` are problems. */
  readonly evidence: readonly EvidenceRow[]
}

/** The result of one item, with its problems in words (none when it passed), and its duration in milliseconds. */
export type TriedItem = Readonly<Awaited<ReturnType<Certification['try']>>>

const MEND_SILENT =
  'The integration made no request. Start it by itself with a line such as {"do":"poll"} on standard input, and read what it says: it must read the line and call the address in PARTNER_BASE_URL. If it is not made for an item, name the items that it is made for with --only.'

/** Tries an integration, item by item. */
export class Certification {
  readonly #candidate: Candidate
  readonly #hash = new JournalHash()
  #entries = 0

  constructor(candidate: Candidate) {
    this.#candidate = candidate
  }

  /** The hash (SHA-256, lower-case hex) and length of the journal of all requests by the integration. */
  get journal(): { readonly hash: string; readonly entries: number } {
    return { hash: this.#hash.digest, entries: this.#entries }
  }

  /** Tries one item, in a new directory and sandbox. Fails: the signal's reason. */
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
      rmSync(root, { recursive: true, force: true, maxRetries: 3 })
    }
    const { findings, rows, isSilent } = evidence
    const status = findings.length === 0 ? 'passed' : 'failed'
    // Without a request the item's advice does not apply, and other findings are consequences.
    const isIdle = status === 'failed' && isSilent
    const item: CertifiedItem = { id, name, status, evidence: rows, mend: isIdle ? MEND_SILENT : mend }
    return { item, findings: isIdle ? findings.slice(0, 1) : findings, ms: Math.round(monotonicMs() - started) }
  }
}
