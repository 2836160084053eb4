import { Failure } from '../../base/failure/failure.ts'
import type { Caller } from '../../client/calls/caller.ts'
import { readSoon } from '../../client/calls/read-soon.ts'
import { getWebhook } from '../../contract/webhooks.ts'
import { type Change, isSameUrl, type Standing, standingIn } from './plan.ts'

/** What reading a subscription told about a change whose answer was lost. */
export interface Finding {
  readonly isDone: boolean
  /** In words. */
  readonly message: string
}

/** Reads once what stands after the answer to a change was lost. It is done when what stands is as wanted and was not so before. */
export async function settle(change: Change, lost: Failure, caller: Caller): Promise<Finding> {
  const why = lost.message.replace(/\s*\n\s*/g, '; ')
  if (caller.hooks.signal?.aborted) return { isDone: false, message: why }
  let stands: Standing | null
  try {
    stands = await read(change.event, caller)
  } catch (error) {
    const reason = error instanceof Failure ? error.words || `status ${error.request?.status}` : String(error)
    return { isDone: false, message: `${why}; the subscription could not be read: ${reason}` }
  }
  const { isDone, words } = compare(change, stands)
  return { isDone, message: isDone ? `the answer was lost, but ${words}` : `${why}; ${words}` }
}

/** Null: there is none. */
async function read(event: string, caller: Caller): Promise<Standing | null> {
  try {
    const { value } = await readSoon(caller, getWebhook, { path: { event } })
    return standingIn([value])[0] ?? null
  } catch (error) {
    if (error instanceof Failure && error.code === 'NOT_FOUND') return null
    throw error
  }
}

function compare({ action, webhookUrl, presentUrl, credentials }: Change, stands: Standing | null) {
  if (action === 'delete')
    return stands ? { isDone: false, words: 'so far the subscription stands' } : { isDone: true, words: 'it is gone' }
  if (!stands) return { isDone: false, words: 'so far there is no subscription' }
  if (webhookUrl === null || !isSameUrl(webhookUrl, stands.webhookUrl))
    return { isDone: false, words: 'so far the subscription has another URL' }
  if (credentials === 'sent' && stands.hasCredentials === false)
    return { isDone: false, words: 'so far the subscription has no credentials' }
  // The URL and its credentials go out together: the one tells of the other.
  const isNew = action === 'create' || (presentUrl !== null && !isSameUrl(webhookUrl, presentUrl))
  if (isNew) return { isDone: true, words: 'the subscription has the URL that was sent' }
  if (action === 'update' && stands.hasCredentials)
    return { isDone: true, words: 'the subscription has credentials now' }
  return { isDone: false, words: 'credentials cannot be read back, so reading it cannot tell' }
}
