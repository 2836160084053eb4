import { Failure } from '../../base/failure/failure.ts'
import { Interrupted } from '../../base/failure/interrupted.ts'
import { isJsonObject } from '../../base/json/exact.ts'
import type { Answer } from '../../client/calls/answer.ts'
import { call } from '../../client/calls/call.ts'
import type { Caller } from '../../client/calls/caller.ts'
import type { CallInput } from '../../client/calls/prepare.ts'
import { readImmediately } from '../../client/calls/read-immediately.ts'
import { rejectFailure } from '../../client/calls/success.ts'
import { createWebhook, deleteWebhook, getWebhook, updateWebhook } from '../../contract/webhooks.ts'
import type { Credentials } from '../listener/credential-headers.ts'
import { type Change, type CurrentSubscription, isSameUrl, readCurrentSubscriptions } from './plan.ts'

/**
 * The outcome of a change. `unknown` means that the response was lost, and reading the subscription did not show
 * whether the change took effect. `not-done` means that the run was interrupted before the change.
 */
export type ChangeOutcome = 'done' | 'unchanged' | 'failed' | 'unknown' | 'not-done'

export interface ChangeResult {
  readonly change: Change
  readonly outcome: ChangeOutcome
  /** The response's status, or `null` if no response arrived. */
  readonly status: number | null
  /** A single-line message, or `null` if there is none. */
  readonly message: string | null
  readonly hint: string | null
}

export interface ChangeWork {
  readonly caller: Caller
  readonly credentialsOf: (change: Change) => Credentials
  readonly extraQuery: CallInput<typeof createWebhook>['extraQuery']
  readonly stop: AbortSignal
  /** Called when a change starts. The function that it returns is called when the change ends. */
  readonly waitsFor: (what: string) => () => void
  readonly onDone: () => void
}

/** Applies a plan's changes in order. If a change fails, the remaining changes are still applied. */
export async function* makeChanges(changes: readonly Change[], work: ChangeWork): AsyncGenerator<ChangeResult> {
  for (const change of changes) {
    if (change.action === 'unchanged') yield resultOf(change, 'unchanged', change.why)
    else if (work.stop.aborted) yield resultOf(change, 'not-done', null)
    else yield await makeChange(change, work)
  }
}

async function makeChange(change: Change, work: ChangeWork): Promise<ChangeResult> {
  const over = work.waitsFor(`${change.action} ${change.event}`)
  try {
    const { status } = await send(change, work)
    work.onDone()
    return { ...resultOf(change, 'done', null), status }
  } catch (error) {
    if (error instanceof Interrupted) return resultOf(change, 'not-done', null)
    if (error instanceof Failure) return await afterFailure(change, error, work)
    // This is a bug in `partner`. The outcome is unknown, because the change may already have been sent.
    return { ...resultOf(change, 'unknown', `unexpected error: ${error}`), hint: AGAIN }
  } finally {
    over()
  }
}

function send(change: Change, { caller, credentialsOf, extraQuery = [] }: ChangeWork): Promise<Answer> {
  const { event, webhookUrl, action } = change
  const path = { event }
  if (action === 'delete') return call(caller, deleteWebhook, { path, extraQuery })
  const body = { webhookUrl: webhookUrl ?? '', ...credentialsOf(change) }
  const options = { accept: checkAnswer }
  if (action === 'create') return call(caller, createWebhook, { body: { event, ...body }, extraQuery }, options)
  return call(caller, updateWebhook, { path, body, extraQuery }, options)
}

function checkAnswer(answer: Answer): void {
  rejectFailure(answer)
  checkSubscribed(answer)
}

async function afterFailure(change: Change, error: Failure, work: ChangeWork): Promise<ChangeResult> {
  const status = error.request?.status ?? null
  if (error.outcome === 'unknown') {
    const { isDone, message } = await resolveUnknownOutcome(change, error, work.caller)
    if (isDone) work.onDone()
    return { change, outcome: isDone ? 'done' : 'unknown', status, message, hint: isDone ? null : AGAIN }
  }
  if (change.action === 'delete' && error.code === 'NOT_FOUND') {
    work.onDone()
    return { ...resultOf(change, 'done', 'the subscription had already been deleted'), status }
  }
  const message = error.message.replace(/\s*\n\s*/g, '; ')
  return { change, outcome: 'failed', status, message, hint: error.hint ?? null }
}

const AGAIN = 'it is safe to run the command again'

function resultOf(change: Change, outcome: ChangeOutcome, message: string | null): ChangeResult {
  return { change, outcome, status: null, message, hint: null }
}

/** Throws BUSINESS_FAILURE if the response contains an `errorMessage`. */
export function checkSubscribed({ value, call: { request } }: Answer): void {
  const said = isJsonObject(value) ? value['errorMessage'] : null
  if (typeof said !== 'string' || said.trim() === '') return
  throw new Failure('BUSINESS_FAILURE', '', {
    said: [said.trim()],
    hint: 'check the current subscriptions: partner webhooks list',
    request,
    outcome: 'not-applied',
    details: { answer: value },
  })
}

/**
 * Reads the subscription to find out whether a change took effect even though its response was lost. The change took
 * effect if the subscription now has the desired state and did not have it before.
 */
async function resolveUnknownOutcome(
  change: Change,
  lost: Failure,
  caller: Caller,
): Promise<{ isDone: boolean; message: string }> {
  const why = lost.message.replace(/\s*\n\s*/g, '; ')
  if (caller.hooks.signal?.aborted) return { isDone: false, message: why }
  let stands: CurrentSubscription | null
  try {
    stands = await read(change.event, caller)
  } catch (error) {
    const reason = error instanceof Failure ? error.words || `status ${error.request?.status}` : String(error)
    return { isDone: false, message: `${why}; the subscription could not be read: ${reason}` }
  }
  const { isDone, words } = compare(change, stands)
  return { isDone, message: isDone ? `the response was lost, but ${words}` : `${why}; ${words}` }
}

async function read(event: string, caller: Caller): Promise<CurrentSubscription | null> {
  try {
    const { value } = await readImmediately(caller, getWebhook, { path: { event } })
    return readCurrentSubscriptions([value])[0] ?? null
  } catch (error) {
    if (error instanceof Failure && error.code === 'NOT_FOUND') return null
    throw error
  }
}

function compare({ action, webhookUrl, presentUrl, credentials }: Change, stands: CurrentSubscription | null) {
  const done = (words: string) => ({ isDone: true, words })
  const open = (words: string) => ({ isDone: false, words })
  if (action === 'delete') return stands ? open('the subscription still exists') : done('it is deleted')
  if (!stands) return open('the subscription does not exist yet')
  if (webhookUrl === null || !isSameUrl(webhookUrl, stands.webhookUrl))
    return open('the subscription still has a different URL')
  if (credentials === 'sent' && stands.hasCredentials === false)
    return open('the subscription still has no credentials')
  // A URL is sent together with its credentials. If the service now has the new URL, it also has the credentials.
  const isNew = action === 'create' || (presentUrl !== null && !isSameUrl(webhookUrl, presentUrl))
  if (isNew) return done('the subscription has the URL that was sent')
  if (action === 'update' && stands.hasCredentials) return done('the subscription now has credentials')
  return open('credentials cannot be read back, so it is not known whether they were changed')
}
