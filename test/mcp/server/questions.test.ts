import { describe, expect, test } from 'vitest'
import { ERAS, type Era, open, type Session } from './session.ts'

const FORMS = { elicitation: { form: {} } }
const YES = { action: 'accept', content: { approve: true } }

const FORM = {
  mode: 'form',
  message: 'Redeem k?',
  requestedSchema: {
    type: 'object',
    properties: { approve: { type: 'boolean', title: 'Approve' } },
    required: ['approve'],
  },
}

const INVALID_PARAMS = -32602

const commit = (key: string, more = {}) => ({ name: 'commit', arguments: { key }, ...more })

/** Calls `commit` and answers the approval form. Returns the form and the result. */
async function decide(session: Session, era: Era, answer: object, key = 'k') {
  if (era === 'modern') {
    const { result } = await session.ask('tools/call', commit(key))
    expect(result.resultType).toBe('input_required')
    const { approve } = result.inputRequests
    expect(approve.method).toBe('elicitation/create')
    const { requestState } = result
    const params = commit(key, { requestState, inputResponses: { approve: answer } })
    return { form: approve.params, result: (await session.ask('tools/call', params)).result }
  }
  const id = session.request('tools/call', commit(key))
  const { id: formId, params } = await session.message(({ method }) => method === 'elicitation/create')
  session.send({ id: formId, result: answer })
  const { _meta, ...form } = params
  return { form, result: (await session.response(id)).result }
}

describe.each(ERAS)('approval forms (%s protocol)', (era) => {
  test.each([
    ['accepted with approve: true', YES, true],
    ['accepted with approve: false', { action: 'accept', content: { approve: false } }, false],
    ['accepted without content', { action: 'accept' }, false],
    ['accepted with the text "true"', { action: 'accept', content: { approve: 'true' } }, false],
    ['declined', { action: 'decline' }, false],
    ['declined with approve: true', { action: 'decline', content: { approve: true } }, false],
    ['cancelled', { action: 'cancel' }, 'cancelled'],
  ])('a call receives the decision if its form is %s', async (_how, answer, approved) => {
    const { form, result } = await decide(await open(era, FORMS), era, answer)
    expect(form).toEqual(FORM)
    expect(result.structuredContent).toEqual({ key: 'k', approved })
  })

  test.each([
    ['nothing', {}, false],
    ['elicitation without a mode', { elicitation: {} }, true],
    ['only forms', FORMS, true],
    ['forms and URLs', { elicitation: { form: {}, url: {} } }, true],
    ['only URLs', { elicitation: { url: {} } }, false],
    ['only sampling', { sampling: {} }, false],
  ])(
    'the server asks a client that declares %s only if the client can show a form',
    async (_what, capabilities, isAsked) => {
      const session = await open(era, capabilities)
      const id = session.request('tools/call', commit('k'))
      const answer = await session.message((message) => message.id === id || message.method === 'elicitation/create')
      const wasAsked = answer.method === 'elicitation/create' || answer.result.resultType === 'input_required'
      expect(wasAsked).toBe(isAsked)
      if (!isAsked) expect(answer.result.structuredContent).toEqual({ key: 'k', state: 'needs-approval' })
    },
  )

  test.each([
    ['made up', 'signed:k'],
    ['empty', ''],
    ['a list of the right form', `${Buffer.from('["facts of k",9e15]').toString('base64url')}.`],
    ['a list with a wrong seal', `${Buffer.from('["facts of k",9e15]').toString('base64url')}.${'A'.repeat(43)}`],
  ])('a requestState that is %s approves nothing', async (_what, requestState) => {
    const session = await open(era, FORMS)
    const id = session.request('tools/call', commit('k', { requestState, inputResponses: { approve: YES } }))
    const answer = await session.message((message) => message.id === id || message.method === 'elicitation/create')
    expect(answer.error?.code ?? answer.method).toBe(era === 'modern' ? INVALID_PARAMS : 'elicitation/create')
    expect(session.calls.answers).toEqual([])
  })

  test('an answer without a requestState approves nothing', async () => {
    const session = await open(era)
    const { result } = await session.ask('tools/call', commit('k', { inputResponses: { approve: YES } }))
    expect(result.structuredContent).toEqual({ key: 'k', state: 'needs-approval' })
    expect(session.calls.answers).toEqual([])
  })

  test('an open form does not block other calls', async () => {
    const session = await open(era, FORMS)
    for (let at = 0; at < 10; at++) session.request('tools/call', commit(`k${at}`))
    expect((await session.call('echo')).result.isError).toBeUndefined()
  })
})

describe('requestState in approval forms', () => {
  /** Calls `commit` for the order "k" and returns the requestState. */
  const stateOf = async (session: Session): Promise<string> =>
    (await session.ask('tools/call', commit('k'))).result.requestState

  const send = (session: Session, key: string, requestState: unknown, more = {}) =>
    session.ask('tools/call', { ...commit(key), requestState, inputResponses: { approve: YES }, ...more })

  const answer = async (...call: Parameters<typeof send>) => (await send(...call)).result

  const problem = async (...call: Parameters<typeof send>) => (await send(...call)).error?.code

  test('a requestState is not valid for other arguments or another tool', async () => {
    const session = await open('modern', FORMS)
    const state = await stateOf(session)
    expect(await problem(session, 'other', state)).toBe(INVALID_PARAMS)
    const more = { arguments: { key: 'k', more: true } }
    expect(await problem(session, 'k', state, more)).toBe(INVALID_PARAMS)
    expect(await problem(session, 'k', state, { name: 'echo' })).toBe(INVALID_PARAMS)
    expect(session.calls.answers).toEqual([])
    expect((await answer(session, 'k', state)).structuredContent).toEqual({ key: 'k', approved: true })
  })

  test('a requestState is not valid if any of its characters is changed', async () => {
    const session = await open('modern', FORMS)
    const state = await stateOf(session)
    for (let at = 0; at < state.length; at += 7) {
      const changed = `${state.slice(0, at)}${state[at] === 'x' ? 'y' : 'x'}${state.slice(at + 1)}`
      expect(await problem(session, 'k', changed), changed).toBe(INVALID_PARAMS)
    }
    expect(session.calls.answers).toEqual([])
  })

  test('a requestState is not valid in another process', async () => {
    const state = await stateOf(await open('modern', FORMS))
    expect(await problem(await open('modern', FORMS), 'k', state)).toBe(INVALID_PARAMS)
  })

  test('a requestState is valid for 15 minutes', async () => {
    const session = await open('modern', FORMS)
    const state = await stateOf(session)
    session.now += 15 * 60_000 - 1
    expect((await answer(session, 'k', state)).structuredContent).toEqual({ key: 'k', approved: true })
    session.now += 1
    expect(await problem(session, 'k', state)).toBe(INVALID_PARAMS)
  })

  test('a requestState approves nothing on a legacy connection', async () => {
    const state = await stateOf(await open('modern', FORMS))
    const session = await open('legacy')
    expect((await answer(session, 'k', state)).structuredContent).toEqual({ key: 'k', state: 'needs-approval' })
  })

  test('the server responds with an error to a requestState that is not a string', async () => {
    const session = await open('modern', FORMS)
    const params = commit('k', { requestState: { a: 1 }, inputResponses: { approve: YES } })
    expect((await session.ask('tools/call', params)).error.code).toBe(-32602)
    expect(session.calls.answers).toEqual([])
  })
})

describe('approval forms on a legacy connection', () => {
  async function askedFor(key: string) {
    const session = await open('legacy', FORMS)
    const id = session.request('tools/call', commit(key))
    const form = await session.message(({ method }) => method === 'elicitation/create')
    return { session, id, form }
  }

  test('the server treats an error response to a form as a cancellation', async () => {
    const { session, id, form } = await askedFor('k')
    session.send({ id: form.id, error: { code: -32603, message: 'no screen' } })
    expect((await session.response(id)).result.structuredContent).toEqual({ key: 'k', approved: 'cancelled' })
  })

  test.each([
    ['text', 'yes'],
    ['an unknown action', { action: 'approve', content: { approve: true } }],
    ['no action', { content: { approve: true } }],
  ])('a form answer that is %s approves nothing', async (_what, result) => {
    const { session, id, form } = await askedFor('k')
    session.send({ id: form.id, result })
    // The server rejects the whole message if the result is not an object, so the form is still open.
    if (typeof result === 'string') {
      expect((await session.response(form.id)).error.code).toBe(-32600)
      session.send({ id: form.id, result: { action: 'cancel' } })
    }
    expect((await session.response(id)).result.structuredContent).toEqual({ key: 'k', approved: 'cancelled' })
  })

  test('the server ignores an answer that arrives after the call was cancelled', async () => {
    const { session, id, form } = await askedFor('k')
    session.send({ method: 'notifications/cancelled', params: { requestId: id } })
    await session.message(({ method }) => method === 'notifications/cancelled')
    session.send({ id: form.id, result: YES })
    await session.settle()
    expect(session.calls.answers.filter((answer) => (answer as { approved: unknown }).approved === true)).toEqual([])
    expect(session.messages.some((message) => message.id === id && !message.method)).toBe(false)
  })

  test('the server ignores an answer to a form that it never sent', async () => {
    const session = await open('legacy', FORMS)
    session.send({ id: 0, result: YES })
    session.send({ id: 'form', result: YES })
    await session.settle()
    expect(session.calls.started).toEqual([])
  })

  test('an order is not approved if the connection ends while its form is open', async () => {
    const { session } = await askedFor('k')
    session.input.end()
    await session.ended
    expect(session.calls.answers).not.toContainEqual(expect.objectContaining({ approved: true }))
  })

  test('the server asks at most three times about an order that keeps changing', async () => {
    const session = await open('legacy', FORMS)
    const id = session.request('tools/call', commit('changing'))
    const asked = new Set<unknown>()
    for (let time = 0; time < 3; time++) {
      const form = await session.message(({ method, id }) => method === 'elicitation/create' && !asked.has(id))
      asked.add(form.id)
      session.send({ id: form.id, result: YES })
    }
    const { result } = await session.response(id)
    expect(result.structuredContent).toEqual({ key: 'changing', state: 'needs-approval' })
  })
})
