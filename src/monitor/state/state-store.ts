import type { DatabaseSync } from 'node:sqlite'
import { parseJson } from '../../base/json/parse.ts'
import { transaction } from '../../base/storage/sqlite.ts'
import { type Alert, alertId, alertLine } from '../alerts/alert.ts'
import { type Change, type CheckState, type Finding, type Rule, step } from './machine.ts'
import { guarded, openState } from './open-state.ts'

/** Identifies a check of one venue. */
export interface CheckKey {
  readonly name: string
  /** The venue's profile, or `null` if no profile is used. */
  readonly profile: string | null
}

/** An alert that is queued for one destination. */
export interface Waiting {
  readonly number: number
  readonly name: string
  readonly profile: string | null
  /** The alert as one line of JSON, including the newline. */
  readonly line: string
  readonly attempts: number
  /** When the next attempt is due, in epoch milliseconds. */
  readonly dueMs: number
}

/** The alerts that are queued for a destination. */
export interface Backlog {
  readonly destination: string
  readonly count: number
  /** When the oldest alert was queued, in epoch milliseconds. */
  readonly sinceMs: number
  /** A problem from one of the failed attempts, or `null` if none has failed. */
  readonly problem: string | null
}

/** A destination's kind and its key. The key is the same in every run. */
export interface KnownDestination {
  readonly key: string
  readonly kind: string
}

/**
 * The durable state of a monitor: the state of each check and the alerts that have not been delivered yet. A change to
 * a check's state and the alert about it are written together. All methods throw INTERNAL if the file cannot be used.
 */
export class StateStore {
  readonly #database: DatabaseSync
  readonly #path: string
  readonly #id: string

  private constructor(database: DatabaseSync, path: string) {
    this.#database = database
    this.#path = path
    this.#id = guarded(path, () =>
      String(database.prepare("SELECT value FROM meta WHERE name = 'id'").get()?.['value']),
    )
  }

  /** Opens or creates the state file. Throws the same errors as `openState`. */
  static open(path: string): StateStore {
    const database = openState(path, true)
    if (database === null) throw new Error('openState did not create the file')
    return new StateStore(database, path)
  }

  /** Opens the state file or returns `null` if it does not exist. Throws the same errors as `openState`. */
  static find(path: string): StateStore | null {
    const database = openState(path, false)
    return database && new StateStore(database, path)
  }

  /**
   * Records a finding and returns the new state. If the change requires an alert, queues the alert for each destination
   * and also returns it.
   */
  record(
    { name, profile }: CheckKey,
    finding: Finding,
    { rule, nowMs, destinations }: { rule: Rule; nowMs: number; destinations: readonly string[] },
  ): { readonly state: CheckState; readonly alert: Alert | null } {
    return this.#transaction(() => {
      const before = this.#get(name, profile)
      const { after, change } = step(before, finding, rule, nowMs)
      this.#run('INSERT OR REPLACE INTO checks VALUES (?, ?, ?)', name, profile ?? '', JSON.stringify(after))
      const alert = change && this.#alertOf({ name, profile }, change, finding, nowMs)
      if (alert !== null) this.#queue(alert, destinations, nowMs)
      return { state: after, alert }
    })
  }

  /**
   * Deletes the checks for which `reasonOf` returns a reason. If a deleted check has a fault, queues and returns an
   * alert that reports the end of the fault.
   */
  forget(
    reasonOf: (check: CheckKey) => string | null,
    { nowMs, destinations }: { nowMs: number; destinations: readonly string[] },
  ): readonly Alert[] {
    return this.#transaction(() =>
      this.checks().flatMap(({ name, profile, state }) => {
        const message = reasonOf({ name, profile })
        if (message === null) return []
        this.#run('DELETE FROM checks WHERE name = ? AND profile = ?', name, profile ?? '')
        if (state.state === 'ok') return []
        const change: Change = { change: 'ended', sinceMs: state.sinceMs, key: `ended ${state.faults}` }
        const alert = this.#alertOf({ name, profile }, change, { verdict: 'ok', message, next: null }, nowMs)
        this.#queue(alert, destinations, nowMs)
        return [alert]
      }),
    )
  }

  /** Returns the state of each check, ordered by name and profile. */
  checks(): readonly (CheckKey & { readonly state: CheckState })[] {
    const rows = this.#all<Record<'name' | 'profile' | 'state', string>>('SELECT * FROM checks ORDER BY name, profile')
    return rows.map(({ name, profile, state }) => {
      return { name, profile: profile || null, state: parseJson(state) as CheckState }
    })
  }

  /**
   * Records the destinations of this run. If a destination no longer exists, moves its alerts to a new destination of
   * the same kind, because its address was probably changed. If there is no such destination, drops the alerts. Returns
   * the number of dropped alerts.
   */
  useDestinations(destinations: readonly KnownDestination[]): number {
    return this.#transaction(() => {
      const known = this.#all<KnownDestination>('SELECT key, kind FROM destinations ORDER BY rowid')
      const isIn = (all: readonly KnownDestination[], key: string) => all.some((one) => one.key === key)
      const added = destinations.filter(({ key }) => !isIn(known, key))
      let dropped = 0
      for (const { key, kind } of known.filter((one) => !isIn(destinations, one.key))) {
        const at = added.findIndex((one) => one.kind === kind)
        const [heir] = at < 0 ? [] : added.splice(at, 1)
        if (heir)
          this.#run('UPDATE deliveries SET destination = ?, attempts = 0, due = 0 WHERE destination = ?', heir.key, key)
        else dropped += this.#run('DELETE FROM deliveries WHERE destination = ?', key)
      }
      this.#run('DELETE FROM destinations')
      for (const { key, kind } of destinations) this.#run('INSERT INTO destinations VALUES (?, ?)', key, kind)
      this.#removeDelivered()
      return dropped
    })
  }

  /** Returns the oldest queued alert of each check for a destination. The alerts of a check are delivered in order. */
  heads(destination: string): readonly Waiting[] {
    const rows = this.#all<Omit<Waiting, 'dueMs'> & { due: number; profile: string }>(
      `SELECT number, name, profile, line, attempts, due FROM alerts JOIN deliveries ON alert = number
       WHERE destination = ? AND number IN (
         SELECT min(alert) FROM deliveries JOIN alerts ON number = alert WHERE destination = ? GROUP BY name, profile)
       ORDER BY number`,
      destination,
      destination,
    )
    return rows.map(({ due, profile, ...row }) => ({ ...row, profile: profile || null, dueMs: due }))
  }

  /** Removes a delivered alert from a destination's queue. */
  markDelivered(number: number, destination: string): void {
    this.#transaction(() => {
      this.#run('DELETE FROM deliveries WHERE alert = ? AND destination = ?', number, destination)
      this.#removeDelivered()
    })
  }

  /** Records a failed attempt. The next one is due at `dueMs`. */
  markFailed(number: number, destination: string, problem: string, dueMs: number): void {
    const change = 'UPDATE deliveries SET attempts = attempts + 1, due = ?, problem = ?'
    this.#transaction(() =>
      this.#run(`${change} WHERE alert = ? AND destination = ?`, dueMs, problem, number, destination),
    )
  }

  /** Returns the backlog of each destination that has queued alerts. */
  backlog(): readonly Backlog[] {
    return this.#all<Backlog>(
      `SELECT destination, count(*) AS count, min(queued) AS sinceMs, max(problem) AS problem
       FROM deliveries GROUP BY destination ORDER BY destination`,
    )
  }

  close(): void {
    this.#database.close()
  }

  #alertOf({ name, profile }: CheckKey, { change, sinceMs, key }: Change, finding: Finding, nowMs: number): Alert {
    const { message, next } = finding
    const [since, at] = [sinceMs, nowMs].map((ms) => new Date(ms).toISOString()) as [string, string]
    // Include the time, because a check that is removed from the file and added again would otherwise reuse alert IDs.
    const id = alertId(this.#id, name, profile, key, since)
    return { id, check: name, change, since, at, profile, message, next }
  }

  /** Queues an alert. Skips a reminder for destinations whose queue still contains an alert about the check. */
  #queue(alert: Alert, destinations: readonly string[], nowMs: number): void {
    const { check, profile, change } = alert
    const isWaiting = (destination: string) =>
      this.heads(destination).some((one) => one.name === check && one.profile === profile)
    const wanted = change === 'reminder' ? destinations.filter((one) => !isWaiting(one)) : destinations
    if (wanted.length === 0) return
    const insert = this.#database.prepare('INSERT INTO alerts (name, profile, line) VALUES (?, ?, ?)')
    const { lastInsertRowid } = insert.run(check, profile ?? '', alertLine(alert))
    for (const destination of wanted)
      this.#run(
        'INSERT INTO deliveries (alert, destination, queued) VALUES (?, ?, ?)',
        lastInsertRowid,
        destination,
        nowMs,
      )
  }

  #removeDelivered(): void {
    this.#run('DELETE FROM alerts WHERE number NOT IN (SELECT alert FROM deliveries)')
  }

  #get(name: string, profile: string | null): CheckState | null {
    const query = 'SELECT state FROM checks WHERE name = ? AND profile = ?'
    const [row] = this.#all<{ readonly state: string }>(query, name, profile ?? '')
    return row ? (parseJson(row.state) as CheckState) : null
  }

  #all<T>(query: string, ...values: readonly (string | number)[]): T[] {
    return guarded(this.#path, () => this.#database.prepare(query).all(...values) as unknown as T[])
  }

  #run(statement: string, ...values: readonly (string | number | bigint | null)[]): number {
    return Number(this.#database.prepare(statement).run(...values).changes)
  }

  #transaction<T>(work: () => T): T {
    return guarded(this.#path, () => transaction(this.#database, work))
  }
}
