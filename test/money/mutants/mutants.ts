/** A mistake that is planted in the money code: the histories have to notice it. */
export interface Mutant {
  /** What the code no longer does, in words. */
  readonly name: string
  /** From the top of the checkout. */
  readonly file: string
  /** Stands in the file once. */
  readonly from: string
  readonly to: string
}

const MONEY = 'src/money'
const OPERATIONS = 'src/money/operations'

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'an unchanged card is proof at once: the settling time is 0',
    file: `${OPERATIONS}/settling.ts`,
    from: 'export const SETTLING_MS = 60_000',
    to: 'export const SETTLING_MS = 0',
  },
  {
    name: 'the silence is counted until the answer, not until the question',
    file: `${MONEY}/resolve.ts`,
    from: 'return verdictOf(await weigh(desk, seen), quiet)',
    to: 'return verdictOf(await weigh(desk, seen), quietMs(seen, clock()))',
  },
  {
    name: 'a signal makes it forget a write that is on its way',
    file: 'src/client/calls/send.ts',
    from: 'if (error instanceof Interrupted && error.maybeSent && isWrite)',
    to: 'if (false)',
  },
  {
    name: 'a signal makes it forget a sale in doubt that waits to be sent again',
    file: `${MONEY}/sales.ts`,
    from: 'await pause(pickBackoffMs(again + 1), caller.hooks).catch(() => {\n      throw doubt\n    })',
    to: 'await pause(pickBackoffMs(again + 1), caller.hooks)',
  },
  {
    name: 'a signal makes it forget a sale in doubt that is looked for',
    file: `${MONEY}/sales.ts`,
    from: 'const found = await lookFor(desk, order, firstSent).catch(() => {\n      throw doubt\n    })',
    to: 'const found = await lookFor(desk, order, firstSent)',
  },
  {
    name: 'a signal makes it forget a sale in doubt that had a 409',
    file: `${MONEY}/sales.ts`,
    from: '.catch((error) => {\n    throw stillUnknown(',
    to: '.catch((error) => {\n    throw error\n    throw stillUnknown(',
  },
  {
    name: 'what befalls a later run drops what an earlier one left open',
    file: `${MONEY}/write-once.ts`,
    from: "if (claimed.phase === 'claimed') store.drop(claimed.id)\n      throw error",
    to: 'store.drop(claimed.id)\n      throw error',
  },
  {
    name: 'money writes share the connection of the readings',
    file: 'src/client/calls/send.ts',
    from: "endpoint.write === 'money' || options.ownConnection ? 'own' : 'shared'",
    to: "'shared'",
  },
  {
    name: 'a 100 Continue that nobody asked for is trouble',
    file: 'src/http/client/connections.ts',
    from: 'status === 100 ? 102 : status',
    to: 'status',
  },
  {
    name: 'a documented 500 is believed without a look at the card',
    file: `${MONEY}/write-once.ts`,
    from: "return status >= 500 ? { kind: 'refused', failure: error } : null",
    to: 'return null',
  },
  {
    name: 'a success need not say how much it took',
    file: `${MONEY}/redeemed.ts`,
    from: "if (taken.text === null) throw doubt('the answer does not say how much was redeemed')",
    to: 'if (taken.text === null) return',
  },
  {
    name: 'a success may have taken another amount',
    file: `${MONEY}/redeemed.ts`,
    from: 'if (!isSame) throw',
    to: 'if (false) throw',
  },
  {
    name: 'a failure is believed though it took something',
    file: `${MONEY}/redeemed.ts`,
    from: 'if (taken.cents !== 0n && taken.text !== null)',
    to: 'if (false)',
  },
  {
    name: 'a failure is believed though its status is none of a failure',
    file: `${MONEY}/redeemed.ts`,
    from: "if (status !== null && status !== 'Error')",
    to: 'if (false)',
  },
  {
    name: 'the answer to a cancellation is not looked at',
    file: `${MONEY}/redeemed.ts`,
    from: "if (status !== null && status !== 'Cancelled')",
    to: 'if (false)',
  },
  {
    name: 'a 409 proves a sale of any age',
    file: `${MONEY}/sales.ts`,
    from: 'return mostElapsedMs(firstSent, now) > REMEMBERED_MS',
    to: 'return false',
  },
  {
    name: 'the age of a sale in doubt is looked at before it waits for its turn',
    file: `${MONEY}/sales.ts`,
    from: 'if ((doubt !== null || open !== null) && isForgotten(firstSent, clock()))',
    to: 'if (false)',
  },
  {
    name: 'an open sale is looked for around now, not around when it was sent',
    file: `${MONEY}/sales.ts`,
    from: 'order, firstSent.wallMs)',
    to: 'order, desk.clock().wallMs)',
  },
  {
    name: 'a sale that was answered by a redirect is sent again',
    file: `${MONEY}/sales.ts`,
    from: "if (phase === 'redirected') return 'the service answered it with a redirect'\n",
    to: '',
  },
  {
    name: 'a sale of another total is taken for the one that is sought',
    file: `${MONEY}/sale-search.ts`,
    from: 'if (cents !== null && listed !== null && size(listed) !== size(cents))',
    to: 'if (false)',
  },
  {
    name: 'a sale of another booking is taken for the one that is sought',
    file: `${MONEY}/sale-search.ts`,
    from: "if (bookingId !== null && typeof booking === 'string' && booking !== bookingId)",
    to: 'if (false)',
  },
  {
    name: 'a balance above what one’s own writes left is believed',
    file: `${OPERATIONS}/other-writes.ts`,
    from: '  return most\n',
    to: '  return null\n',
  },
  {
    name: 'a top-up between the readings is overlooked',
    file: `${MONEY}/verdict.ts`,
    from: 'if (before.total !== null && now.total !== null && now.total > before.total)',
    to: 'if (false)',
  },
  {
    name: 'a card that expired between the readings is overlooked',
    file: `${MONEY}/verdict.ts`,
    from: 'if (hasMoved && !REDEEMABLE.has(now.status))',
    to: 'if (false)',
  },
  {
    name: 'what another open write may have taken is overlooked',
    file: `${MONEY}/verdict.ts`,
    from: "if (withIt && withoutIt) return unknown('which another write on the card explains as well')\n",
    to: '',
  },
  {
    name: 'what other writes certainly took is overlooked',
    file: `${OPERATIONS}/other-writes.ts`,
    from: 'if ((row.endedStep ?? 0) < own.claimedStep) return []',
    to: 'return []',
  },
  {
    name: 'a redeem that ends while the balance is on its way is in it',
    file: `${OPERATIONS}/other-writes.ts`,
    from: 'isCertain: wasAfterOwn && ended.has(row.id)',
    to: 'isCertain: wasAfterOwn',
  },
  {
    name: 'what explains an open write is forgotten in time',
    file: `${OPERATIONS}/retention.ts`,
    from: 'if (ended === null || inDoubt.has(',
    to: 'if (ended === null || [].includes(',
  },
  {
    name: 'the wall clock alone says how much time has certainly passed',
    file: `${OPERATIONS}/moment.ts`,
    from: 'return wall < 0 ? certain : Math.min(certain, wall)',
    to: 'return wall',
  },
  {
    name: 'the wall clock alone says how much time may have passed',
    file: `${OPERATIONS}/moment.ts`,
    from: 'return Math.max(now.wallMs - since.wallMs, ticks)',
    to: 'return now.wallMs - since.wallMs',
  },
  {
    name: 'a clock is believed over a restart',
    file: `${OPERATIONS}/moment.ts`,
    from: 'if (isOtherBoot(since, now) || ticks < 0) return Number.POSITIVE_INFINITY\n',
    to: '',
  },
  {
    name: 'a process of another container is taken for gone',
    file: 'src/storage/owner.ts',
    from: "if (differ(owner.pidNamespace, pidNamespaceHere())) return 'out-of-sight'\n",
    to: '',
  },
  {
    name: 'a write that was given up is sent all the same',
    file: `${MONEY}/write-once.ts`,
    from: 'operation = store.markSending(claimed.id, before, clock())',
    to: 'try { operation = store.markSending(claimed.id, before, clock()) } catch {}',
  },
  {
    name: 'a write is sent although the same one is open',
    file: `${OPERATIONS}/store.ts`,
    from: 'if (open && !force) throw alreadyOpen(open, now)',
    to: '',
  },
  {
    name: 'a write is done as soon as its answer is there, before anybody knows',
    file: `${OPERATIONS}/store.ts`,
    from: 'this.#undelivered.push({ id, how, now })',
    to: 'this.#undelivered.push({ id, how, now }); this.conclude()',
  },
  {
    name: 'a row is believed whatever its seal says',
    file: `${OPERATIONS}/row.ts`,
    from: "if (stored['seal'] !== sealOf(values)) throw",
    to: 'if (false) throw',
  },
  {
    name: 'the record is not checked when it is opened',
    file: `${OPERATIONS}/file.ts`,
    from: "if (integrity?.integrity_check !== 'ok') throw",
    to: 'if (false) throw',
  },
]
