import { attempt } from '../../../base/attempt.ts'
import { usageFailure } from '../../../base/failure/failure.ts'
import { isJsonObject } from '../../../base/json/exact.ts'
import { hideSecrets } from '../../../base/redaction/redaction.ts'
import { serviceOf } from '../../../client/format-service.ts'
import { centsText, formatAmount, sizeOf } from '../../../money/amount.ts'
import { extractReading } from '../../../money/card-reading.ts'
import { CANCEL } from '../../../money/giftcards.ts'
import { fingerprintOf } from '../../../money/once/key.ts'
import { checkLimits } from '../../../money/orders/limits.ts'
import {
  createHandle,
  describeOrder,
  ORDER_LIFE_MS,
  type OrderFacts,
  type OrderMode,
} from '../../../money/orders/order.ts'
import { OrderTable } from '../../../money/orders/orders.ts'
import { storeRefusal } from '../../../money/orders/refusal.ts'
import { SALE } from '../../../money/sales.ts'
import { findCardProblems } from '../../../money/shortfall.ts'
import { orderCard, orderList } from '../views/order.ts'
import { type MoneyCommand, makeWrite, type OpenedWrite, openOnce } from './write.ts'

/**
 * Stores a write that passes all checks. Shows the facts needed to approve it. Makes only read requests. Throws USAGE.
 * Also throws any error from the checks and the requests.
 */
export async function prepareOrder(command: MoneyCommand, opened: OpenedWrite): Promise<void> {
  const { args, flags, service, connection, show } = opened
  if (flags.force || flags.once !== undefined)
    throw usageFailure(['an order cannot be prepared with --force or --once'], 'nothing was sent')
  const { store, clock } = await service.moneyDesk()
  const { counted, facts } = await readFacts(command, opened)
  const session = await connection.session()
  const preparedAt = clock().wallMs
  const order = new OrderTable(store.table).put({
    handle: createHandle(),
    command: command.order.command,
    ...{ args: { ...args }, flags: withoutUndefined({ ...flags, ...command.fixed }) },
    fingerprint: fingerprintOf(command.order),
    ...{ facts, counted, service: session.service, profile: session.caller.profile },
    ...{ preparedAt, expiresAt: preparedAt + ORDER_LIFE_MS, approvedAt: null, declinedAt: null, refusal: null },
  })
  await show.one(describeOrder(order), { card: orderCard, list: orderList })
}

/** Checks a write and reads the facts needed to approve it. */
async function readFacts(
  { order, currency, notices = [], check, readCard }: MoneyCommand,
  { connection, host }: OpenedWrite,
): Promise<{ readonly facts: OrderFacts; readonly counted: bigint | null }> {
  const { command, target, amount } = order
  const openWrite = (await check?.()) ?? null
  const card = (await readCard?.())?.value ?? null
  const balance = isJsonObject(card) ? (extractReading(card)?.balance ?? null) : null
  const problems = card === null ? [] : findCardProblems(card, amount, host.now())
  const warnings = [...notices, ...(openWrite === null ? [] : [openWrite]), ...problems]
  const moved = command === CANCEL ? balance : (amount?.cents ?? null)
  const { host: address, profile } = serviceOf(await connection.session())
  return {
    counted: moved === null ? null : sizeOf(moved),
    facts: {
      ...{ action: command, profile, host: address },
      ...(command === SALE ? { saleId: target } : { cardNumber: target }),
      amount: moved === null ? amount && formatAmount(amount) : centsText(moved),
      ...(currency === undefined ? {} : { currency }),
      ...(balance === null ? {} : { balance: centsText(balance) }),
      ...(warnings.length === 0 ? {} : { warnings }),
    },
  }
}

function withoutUndefined(values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}

/** The orders that this process is sending, by handle. */
const sending = new Map<string, Promise<void>>()

/**
 * Sends an order as {@link sendOrder} does, but first waits for any earlier call for the same order in this process.
 * The stored record protects only against sends by other processes.
 */
export async function commitOrder(
  command: MoneyCommand,
  opened: OpenedWrite,
  mode: Extract<OrderMode, { kind: 'commit' }>,
): Promise<void> {
  for (let earlier = sending.get(mode.handle); earlier; earlier = sending.get(mode.handle))
    await earlier.catch(() => {})
  const sent = sendOrder(command, opened, mode).finally(() => sending.delete(mode.handle))
  sending.set(mode.handle, sent)
  return sent
}

/**
 * Sends a prepared order within the limits. Its handle serves as the key: if the order was already executed, only its
 * receipt is printed. Throws any error from {@link makeWrite} or `checkLimits`. Stores a refusal with the order.
 */
async function sendOrder(
  command: MoneyCommand,
  opened: OpenedWrite,
  mode: Extract<OrderMode, { kind: 'commit' }>,
): Promise<void> {
  const { service, connection, show, warn } = opened
  const { handle, perDay } = mode
  const { store, clock, ledger } = await service.moneyDesk()
  const { counted } = new OrderTable(store.table).get(handle)
  const zone = await connection.timezone()
  const fingerprint = fingerprintOf(command.order)
  const once = await openOnce(command, handle, opened, (operation, known) =>
    checkLimits(
      store,
      { ...mode, zone, pending: ledger?.pending ?? null },
      { operation, known, fingerprint, now: clock() },
    ),
  )
  const prepare = async () => {
    const warning = (await command.check?.()) ?? null
    if (warning !== null) await warn(warning)
  }
  try {
    await makeWrite(command, opened, { once, prepare, cap: { counted, perDay, zone } })
  } catch (error) {
    // Ignore a failure to store the refusal, because the order can be sent again and the original error is more
    // important.
    attempt(() => storeRefusal(store, handle, error, (text) => hideSecrets(text, show.hiddenSecrets)), undefined)
    throw error
  }
}
