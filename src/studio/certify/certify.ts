import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monotonicMs } from '../../base/stopwatch.ts'
import { JournalHash } from '../../sandbox/journal/journal-hash.ts'
import { Bench, type Candidate } from './bench/bench.ts'
import { Evidence, type EvidenceRow } from './bench/evidence.ts'
import type { Item } from './item.ts'

/** What came of one item. */
export interface CertifiedItem {
  readonly id: string
  readonly name: string
  readonly status: 'passed' | 'failed'
  /** What was seen, in its order; what is wrong stands in it as `finding`. */
  readonly evidence: readonly EvidenceRow[]
  /** How to mend an integration that fails it. */
  readonly mend: string
}

/** The journal of all requests that an integration made while it was certified. */
export interface CertifiedJournal {
  /** SHA-256, in lower-case hex. */
  readonly hash: string
  readonly entries: number
}

/** An item that has been tried. */
export interface TriedItem {
  readonly item: CertifiedItem
  /** What is wrong, in words; empty when it passed. */
  readonly findings: readonly string[]
  /** How long it took. Milliseconds. */
  readonly ms: number
}

/** How to mend an integration that makes no request. */
const MEND_SILENT =
  'The integration made no request. Start it by itself with a line such as {"do":"poll"} on standard input, and read what it says: it must read the line and call the address in PARTNER_BASE_URL. If it is not made for an item, name the items that it is made for with --only.'

/** Tries an integration, one item after the other. */
export class Certification {
  readonly #candidate: Candidate
  readonly #hash = new JournalHash()
  #entries = 0

  constructor(candidate: Candidate) {
    this.#candidate = candidate
  }

  get journal(): CertifiedJournal {
    return { hash: this.#hash.digest, entries: this.#entries }
  }

  /** Tries one item, with a directory and sandboxes of its own. Fails: the signal's reason. */
  async try({ id, name, mend, check }: Item): Promise<TriedItem> {
    const started = monotonicMs()
    const evidence = new Evidence()
    const directory = mkdtempSync(join(tmpdir(), 'partner-certify-'))
    const benches: Bench[] = []
    const record = (entry: Parameters<JournalHash['add']>[0]) => {
      this.#hash.add(entry)
      this.#entries += 1
    }
    try {
      await check(async (startAt) => {
        const own = join(directory, String(benches.length + 1))
        mkdirSync(own)
        const bench = await Bench.open({ candidate: this.#candidate, evidence, directory: own, record, startAt })
        benches.push(bench)
        return bench
      })
    } finally {
      for (const bench of benches) await bench.close()
      rmSync(directory, { recursive: true, force: true, maxRetries: 3 })
    }
    const { findings, rows, isSilent } = evidence
    const status = findings.length === 0 ? 'passed' : 'failed'
    const ms = Math.round(monotonicMs() - started)
    if (status === 'failed' && isSilent)
      // Without a request, the advice of the item does not apply, and the other findings follow from the first.
      return { item: { id, name, status, evidence: rows, mend: MEND_SILENT }, findings: findings.slice(0, 1), ms }
    return { item: { id, name, status, evidence: rows, mend }, findings, ms }
  }
}
