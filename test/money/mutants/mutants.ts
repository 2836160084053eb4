import type { Mutant } from '../../support/mutants.ts'

const MONEY = 'src/money'
const OPERATIONS = 'src/money/operations'
const ONCE = 'src/money/once'

/**
 * The mutations of the money code, by file and by description. Each one replaces `from` with `to`. The random tests
 * must detect all of them.
 */
const PLANTED: Readonly<Record<string, Readonly<Record<string, readonly [from: string, to: string]>>>> = {
  [`${OPERATIONS}/settling.ts`]: {
    'an unchanged card is proof immediately: the settling time is 0': [
      'export const SETTLING_MS = 60_000',
      'export const SETTLING_MS = 0',
    ],
  },
  [`${MONEY}/resolve.ts`]: {
    'the quiet time is measured after the balance is read instead of before': [
      'return verdictOf(await weigh(desk, seen), quiet)',
      'return verdictOf(await weigh(desk, seen), quietMs(seen, clock()))',
    ],
  },
  'src/client/calls/send.ts': {
    'a signal discards a write that is in flight': [
      'if (error instanceof Interrupted && error.maybeSent && isWrite)',
      'if (false)',
    ],
    'money writes share a connection with readings': [
      "isWrite || options.ownConnection ? 'own' : 'shared'",
      "'shared'",
    ],
  },
  [`${MONEY}/sales.ts`]: {
    'a signal discards a sale with an unknown outcome that waits to be resent': [
      'await pause(pickBackoffMs(again + 1), caller.hooks).catch(() => {\n      throw doubt\n    })',
      'await pause(pickBackoffMs(again + 1), caller.hooks)',
    ],
    'a signal discards a sale with an unknown outcome that is being looked up': [
      'const found = await lookFor(desk, order, firstSent).catch(() => {\n      throw doubt\n    })',
      'const found = await lookFor(desk, order, firstSent)',
    ],
    'a signal discards a sale with an unknown outcome after a 409': [
      '.catch((error) => {\n    throw stillUnknown(',
      '.catch((error) => {\n    throw error\n    throw stillUnknown(',
    ],
    'a 409 proves that a sale of any age arrived': [
      'return mostElapsedMs(firstSent, now) > REMEMBERED_MS',
      'return false',
    ],
    'the age of a sale with an unknown outcome is not checked again after a wait': [
      'if ((doubt !== null || open !== null) && isForgotten(firstSent, clock()))',
      'if (false)',
    ],
    'an open sale is looked up around the current time instead of when it was sent': [
      'order, firstSent.wallMs)',
      'order, desk.clock().wallMs)',
    ],
    'a sale that received a redirect is resent': [
      "if (phase === 'redirected') return 'the service answered with a redirect'\n",
      '',
    ],
  },
  [`${MONEY}/write-once.ts`]: {
    'an error in a later run drops the operation that an earlier run left open': [
      "if (claimed.phase === 'claimed') store.drop(claimed.id)\n      throw error",
      'store.drop(claimed.id)\n      throw error',
    ],
    'a documented 500 is trusted without checking the card': [
      "return status >= 500 ? { kind: 'refused', failure: error } : null",
      'return null',
    ],
    'a write that another process has settled is sent anyway': [
      'operation = await together(() => store.markSending(claimed.id, before, clock()))',
      'try { operation = await together(() => store.markSending(claimed.id, before, clock())) } catch {}',
    ],
  },
  'src/http/client/connections.ts': {
    'an unsolicited 100 Continue is an error': ['status === 100 ? 102 : status', 'status'],
  },
  [`${MONEY}/redeemed.ts`]: {
    'a success without an amount is trusted': [
      "if (taken.text === null) throw doubt('the response does not say how much was redeemed')",
      'if (taken.text === null) return',
    ],
    'a success with another amount is trusted': ['if (!isSame) throw', 'if (false) throw'],
    'a failure with a redeemed amount is trusted': ['if (taken.cents !== 0n && taken.text !== null)', 'if (false)'],
    'a failure with the status of a success is trusted': ["if (status !== null && status !== 'Error')", 'if (false)'],
    'the response to a cancellation is not checked': ["if (status !== null && status !== 'Cancelled')", 'if (false)'],
  },
  [`${MONEY}/sale-search.ts`]: {
    'a sale with another total is mistaken for the expected one': [
      'if (cents !== null && listed !== null && sizeOf(listed) !== sizeOf(cents))',
      'if (false)',
    ],
    'a sale of another booking is mistaken for the expected one': [
      "if (bookingId !== null && typeof booking === 'string' && booking !== bookingId)",
      'if (false)',
    ],
  },
  [`${OPERATIONS}/other-writes.ts`]: {
    'a balance is trusted although it is higher than after the previous write': ['  return most\n', '  return null\n'],
    'other completed writes are ignored': ['if ((row.endedStep ?? 0) < own.claimedStep) return []', 'return []'],
    'a redemption that ends during a balance read counts as included in it': [
      'isCertain: wasAfterOwn && ended.has(row.id)',
      'isCertain: wasAfterOwn',
    ],
  },
  [`${MONEY}/verdict.ts`]: {
    'a top-up between the readings is ignored': [
      'if (before.total !== null && now.total !== null && now.total > before.total)',
      'if (false)',
    ],
    'an expiry between the readings is ignored': ['if (hasMoved && !REDEEMABLE.has(now.status))', 'if (false)'],
    'other open writes are ignored': [
      "if (withIt && withoutIt) return unknown('which another write on the card could also explain')\n",
      '',
    ],
  },
  [`${OPERATIONS}/retention.ts`]: {
    'old writes are removed although an open write still needs them': [
      'WHERE other.service = operations.service AND',
      "WHERE other.service = '' AND",
    ],
  },
  [`${OPERATIONS}/moment.ts`]: {
    'the wall clock alone determines how much time has certainly passed': [
      'return wall < 0 ? certain : Math.min(certain, wall)',
      'return wall',
    ],
    'the wall clock alone determines how much time may have passed': [
      'return Math.max(now.wallMs - since.wallMs, ticks)',
      'return now.wallMs - since.wallMs',
    ],
    'the clocks are trusted across a reboot': [
      'if (isOtherBoot(since, now) || ticks < 0) return Number.POSITIVE_INFINITY\n',
      '',
    ],
  },
  'src/base/storage/owner.ts': {
    'a process in another container counts as gone': [
      "if (differ(owner.pidNamespace, pidNamespaceHere())) return 'out-of-sight'\n",
      '',
    ],
  },
  [`${OPERATIONS}/store.ts`]: {
    'a write is sent although an identical one is open': ['if (open && !force) throw alreadyOpen(open, now)', ''],
    'a write is concluded before its response is delivered': [
      'this.#undelivered.push({ id, how, now })',
      'this.#undelivered.push({ id, how, now }); this.conclude()',
    ],
  },
  [`${OPERATIONS}/row.ts`]: {
    'a row is trusted although its seal does not match': [
      "if (stored['seal'] !== sealOf(values)) throw",
      'if (false) throw',
    ],
  },
  [`${OPERATIONS}/file.ts`]: {
    'the record is opened without an integrity check': [
      "if (integrity?.integrity_check !== 'ok') throw",
      'if (false) throw',
    ],
  },
  [`${ONCE}/once.ts`]: {
    'the key is stored after sending': ['onClaim: (operation) => this.#bind(operation)', 'onClaim: () => {}'],
    'an unknown outcome counts as done': [
      'const { state, how } = verdict\n',
      "const { how } = verdict\n        const state = verdict.state === 'unknown' ? 'applied' : verdict.state\n",
    ],
  },
  [`${ONCE}/key.ts`]: {
    'the fingerprint ignores the amount': ['amount && plainNumber(formatAmount(amount))', 'null'],
  },
  [`${ONCE}/keys.ts`]: {
    'a refused order counts as done': [
      "SET state = 'free', endedAt = old.startedAt",
      "SET state = 'done', endedAt = old.startedAt",
    ],
  },
  [`${MONEY}/ledger/schema.ts`]: {
    'an open write of the ledger has no unique constraint': [
      'CREATE UNIQUE INDEX IF NOT EXISTS one_open',
      'CREATE INDEX IF NOT EXISTS one_open',
    ],
  },
}

export const MUTANTS: readonly Mutant[] = Object.entries(PLANTED).flatMap(([file, mutants]) =>
  Object.entries(mutants).map(([name, [from, to]]) => ({ name, file, from, to })),
)
