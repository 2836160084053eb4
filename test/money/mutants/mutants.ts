import type { Mutant } from '../../support/mutants.ts'

const MONEY = 'src/money'
const OPERATIONS = 'src/money/operations'

/** What is planted in the money code, by file and name: what is replaced, and by what. The histories have to notice it. */
const PLANTED: Readonly<Record<string, Readonly<Record<string, readonly [from: string, to: string]>>>> = {
  [`${OPERATIONS}/settling.ts`]: {
    'an unchanged card is proof at once: the settling time is 0': [
      'export const SETTLING_MS = 60_000',
      'export const SETTLING_MS = 0',
    ],
  },
  [`${MONEY}/resolve.ts`]: {
    'the silence is counted until the answer, not until the question': [
      'return verdictOf(await weigh(desk, seen), quiet)',
      'return verdictOf(await weigh(desk, seen), quietMs(seen, clock()))',
    ],
  },
  'src/client/calls/send.ts': {
    'a signal makes it forget a write that is on its way': [
      'if (error instanceof Interrupted && error.maybeSent && isWrite)',
      'if (false)',
    ],
    'money writes share the connection of the readings': [
      "isWrite || options.ownConnection ? 'own' : 'shared'",
      "'shared'",
    ],
  },
  [`${MONEY}/sales.ts`]: {
    'a signal makes it forget a sale in doubt that waits to be sent again': [
      'await pause(pickBackoffMs(again + 1), caller.hooks).catch(() => {\n      throw doubt\n    })',
      'await pause(pickBackoffMs(again + 1), caller.hooks)',
    ],
    'a signal makes it forget a sale in doubt that is looked for': [
      'const found = await lookFor(desk, order, firstSent).catch(() => {\n      throw doubt\n    })',
      'const found = await lookFor(desk, order, firstSent)',
    ],
    'a signal makes it forget a sale in doubt that had a 409': [
      '.catch((error) => {\n    throw stillUnknown(',
      '.catch((error) => {\n    throw error\n    throw stillUnknown(',
    ],
    'a 409 proves a sale of any age': ['return mostElapsedMs(firstSent, now) > REMEMBERED_MS', 'return false'],
    'the age of a sale in doubt is looked at before it waits for its turn': [
      'if ((doubt !== null || open !== null) && isForgotten(firstSent, clock()))',
      'if (false)',
    ],
    'an open sale is looked for around now, not around when it was sent': [
      'order, firstSent.wallMs)',
      'order, desk.clock().wallMs)',
    ],
    'a sale that was answered by a redirect is sent again': [
      "if (phase === 'redirected') return 'the service answered it with a redirect'\n",
      '',
    ],
  },
  [`${MONEY}/write-once.ts`]: {
    'what befalls a later run drops what an earlier one left open': [
      "if (claimed.phase === 'claimed') store.drop(claimed.id)\n      throw error",
      'store.drop(claimed.id)\n      throw error',
    ],
    'a documented 500 is believed without a look at the card': [
      "return status >= 500 ? { kind: 'refused', failure: error } : null",
      'return null',
    ],
    'a write that was given up is sent all the same': [
      'operation = await together(() => store.markSending(claimed.id, before, clock()))',
      'try { operation = await together(() => store.markSending(claimed.id, before, clock())) } catch {}',
    ],
  },
  'src/http/client/connections.ts': {
    'a 100 Continue that nobody asked for is trouble': ['status === 100 ? 102 : status', 'status'],
  },
  [`${MONEY}/redeemed.ts`]: {
    'a success need not say how much it took': [
      "if (taken.text === null) throw doubt('the response does not say how much was redeemed')",
      'if (taken.text === null) return',
    ],
    'a success may have taken another amount': ['if (!isSame) throw', 'if (false) throw'],
    'a failure is believed though it took something': ['if (taken.cents !== 0n && taken.text !== null)', 'if (false)'],
    'a failure is believed though its status is none of a failure': [
      "if (status !== null && status !== 'Error')",
      'if (false)',
    ],
    'the answer to a cancellation is not looked at': ["if (status !== null && status !== 'Cancelled')", 'if (false)'],
  },
  [`${MONEY}/sale-search.ts`]: {
    'a sale of another total is taken for the one that is sought': [
      'if (cents !== null && listed !== null && sizeOf(listed) !== sizeOf(cents))',
      'if (false)',
    ],
    'a sale of another booking is taken for the one that is sought': [
      "if (bookingId !== null && typeof booking === 'string' && booking !== bookingId)",
      'if (false)',
    ],
  },
  [`${OPERATIONS}/other-writes.ts`]: {
    'a balance above what one’s own writes left is believed': ['  return most\n', '  return null\n'],
    'what other writes certainly took is overlooked': [
      'if ((row.endedStep ?? 0) < own.claimedStep) return []',
      'return []',
    ],
    'a redeem that ends while the balance is on its way is in it': [
      'isCertain: wasAfterOwn && ended.has(row.id)',
      'isCertain: wasAfterOwn',
    ],
  },
  [`${MONEY}/verdict.ts`]: {
    'a top-up between the readings is overlooked': [
      'if (before.total !== null && now.total !== null && now.total > before.total)',
      'if (false)',
    ],
    'a card that expired between the readings is overlooked': [
      'if (hasMoved && !REDEEMABLE.has(now.status))',
      'if (false)',
    ],
    'what another open write may have taken is overlooked': [
      "if (withIt && withoutIt) return unknown('which another write on the card could also explain')\n",
      '',
    ],
  },
  [`${OPERATIONS}/retention.ts`]: {
    'what explains an open write is forgotten in time': [
      'WHERE other.service = operations.service AND',
      "WHERE other.service = '' AND",
    ],
  },
  [`${OPERATIONS}/moment.ts`]: {
    'the wall clock alone says how much time has certainly passed': [
      'return wall < 0 ? certain : Math.min(certain, wall)',
      'return wall',
    ],
    'the wall clock alone says how much time may have passed': [
      'return Math.max(now.wallMs - since.wallMs, ticks)',
      'return now.wallMs - since.wallMs',
    ],
    'a clock is believed over a restart': [
      'if (isOtherBoot(since, now) || ticks < 0) return Number.POSITIVE_INFINITY\n',
      '',
    ],
  },
  'src/base/storage/owner.ts': {
    'a process of another container is taken for gone': [
      "if (differ(owner.pidNamespace, pidNamespaceHere())) return 'out-of-sight'\n",
      '',
    ],
  },
  [`${OPERATIONS}/store.ts`]: {
    'a write is sent although the same one is open': ['if (open && !force) throw alreadyOpen(open, now)', ''],
    'a write is done as soon as its answer is there, before anybody knows': [
      'this.#undelivered.push({ id, how, now })',
      'this.#undelivered.push({ id, how, now }); this.conclude()',
    ],
  },
  [`${OPERATIONS}/row.ts`]: {
    'a row is believed whatever its seal says': ["if (stored['seal'] !== sealOf(values)) throw", 'if (false) throw'],
  },
  [`${OPERATIONS}/file.ts`]: {
    'the record is not checked when it is opened': [
      "if (integrity?.integrity_check !== 'ok') throw",
      'if (false) throw',
    ],
  },
}

export const MUTANTS: readonly Mutant[] = Object.entries(PLANTED).flatMap(([file, mutants]) =>
  Object.entries(mutants).map(([name, [from, to]]) => ({ name, file, from, to })),
)
