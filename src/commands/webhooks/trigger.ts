import { Failure } from '../../base/failure/failure.ts'
import { ANSWER_TIMEOUT_MS, type WebhookEvent } from '../../contract/events.ts'
import { triggeredCard, triggeredList } from '../../features/webhooks/deliveries/lists.ts'
import { CREDENTIAL_FLAGS, EVENT_ARGUMENT, readEventName } from '../../features/webhooks/sending/input.ts'
import { chooseTarget } from '../../features/webhooks/sending/target.ts'
import { buildBody } from '../../terminal/input/body.ts'
import { DRY_RUN_FLAG, flag, OUTPUT_FLAGS, SET_FLAG } from '../../terminal/input/flags.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'
import { readEvent } from '../../webhooks/events/read-event.ts'
import { sample } from '../../webhooks/events/sample.ts'
import { isAccepted, openTarget, type Sent } from '../../webhooks/listener/target.ts'

export default class WebhooksTrigger extends PartnerCommand {
  static override summary = 'Send a sample event to a receiver, as the service would.'
  static override description =
    "The sample is about booking BK-1001 or card GIFT1-00000100-AAAA, which exist in every sandbox; --set data.bookingId=ID selects another booking. The exit code is 0 if the receiver responds with 2xx, 5 for 3xx and 4xx, and 8 for 5xx or if no response arrives within 5 seconds, which is also the service's limit."
  static override examples = [
    '<%= config.bin %> <%= command.id %> BOOKING_CREATED --to http://127.0.0.1:4011/hooks --dry-run',
    `HOOK_KEY=k-815 <%= config.bin %> <%= command.id %> GIFTCARDS_REDEEMED --to https://till.example/hooks --security-key env:HOOK_KEY --set data.cardNumber=GIFT2-00005025-AAAA --dry-run`,
  ]
  static override args = { event: EVENT_ARGUMENT }
  static override baseFlags = { ...DRY_RUN_FLAG, ...OUTPUT_FLAGS }
  static override flags = {
    to: flag(
      'URL',
      'The receiver (default: the running listener); over plain http, credentials are sent only to this machine.',
    ),
    ...SET_FLAG,
    ...CREDENTIAL_FLAGS,
  }

  async run(): Promise<void> {
    const opened = await this.open(WebhooksTrigger)
    const { args, flags, host, show } = opened
    const problems = new Problems()
    const event = readEventName(args.event, problems)
    // --set changes the sample event, so it is not passed on with the flags for the receiver.
    const { set, ...targetFlags } = flags
    const data = sample(event as WebhookEvent)
    const body = Buffer.from(JSON.stringify(await buildBody({ data, set }, {}, problems)))
    const { url: to, headers: credentials } = await chooseTarget(targetFlags, opened, problems)
    const headers = { 'content-type': 'application/json', ...credentials }
    if (flags['dry-run']) return show.request({ method: 'POST', url: to, headers, body })
    const target = await openTarget(to, host.env)
    try {
      const sent = await target.post(headers, body, ANSWER_TIMEOUT_MS, host.signal)
      const { status, ms } = sent
      const { event: sentEvent = null, subject = null } = readEvent(body) ?? {}
      const record = { event: sentEvent, subject, url: to.href, status, ms }
      if (status !== null) await show.one(record, { card: triggeredCard, list: triggeredList })
      if (!isAccepted(status)) throw notTaken(to, sent)
    } finally {
      await target.close()
    }
  }
}

function notTaken({ pathname, protocol }: URL, { status, error, location, maybeSent, ms }: Sent): Failure {
  const request = { method: 'POST', path: pathname, profile: null, status, attempts: 1 }
  const hint = 'check its log; the service would send the event again'
  const unknown = { hint, outcome: 'unknown', request } as const
  const refused = (hint: string) => ({ hint, outcome: 'not-applied', request }) as const
  if (status === null) {
    const code = ms >= ANSWER_TIMEOUT_MS ? 'TIMEOUT' : 'NETWORK_ERROR'
    const unsent = refused(
      'check that the receiver is running and that the host and port of --to are correct; nothing was sent',
    )
    return new Failure(code, `the receiver did not respond: ${error}`, maybeSent ? unknown : unsent)
  }
  if (status >= 500) return new Failure('SERVICE_ERROR', `the receiver answered ${status}`, unknown)
  const leads = location === null ? '' : `, a redirect to ${JSON.stringify(location)}`
  return new Failure('REJECTED', `the receiver answered ${status}${leads}`, refused(hintFor(status, protocol)))
}

function hintFor(status: number, protocol: string): string {
  if (status < 400) return 'redirects are not followed: pass the target of the redirect as --to'
  if (status === 401 || status === 403)
    return "pass the subscription's credentials with --security-key and --security-token, and check what the receiver expects"
  if (status === 404 || status === 405) return 'check the path of --to, and that the receiver accepts POST there'
  return status === 400 && protocol === 'http:'
    ? 'check its log; a receiver that expects https answers 400 to plain http'
    : 'check its log; only a 2xx response counts as delivered'
}
