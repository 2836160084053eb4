import { requiredFlag } from '../../cli/input/flags.ts'
import { PartnerCommand } from '../../cli/runtime/command.ts'
import { Failure } from '../../failure/failure.ts'
import { verify } from '../../signing/verify.ts'
import { verdictCard, verdictList } from '../../views/signatures.ts'
import { SIGNED_FLAGS, SIGNING_BASE_FLAGS, signedBody, signingSettings, urlWarning } from './_input.ts'

export default class SignVerify extends PartnerCommand {
  static override summary = 'Tell whether a signature is the right one for a body and URL.'
  static override description =
    'Exit code 0 when it is, 5 when it is not. Of one that is not, the mistake is named that would explain it: the order, a line break, the query, the secret in another form, and others.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --signature "$SIGNATURE" --url https://service.example/partners/my-pos/giftcards/balance --body @received.json',
  ]
  static override baseFlags = SIGNING_BASE_FLAGS
  static override flags = {
    signature: requiredFlag('HEX', 'The signature as it was received: 64 lowercase hexadecimal digits.'),
    ...SIGNED_FLAGS,
  }

  async run(): Promise<void> {
    const { flags, show, host, warn, whisper } = await this.open(SignVerify)
    const warning = urlWarning(flags.url)
    if (warning !== null) await warn(warning)
    const body = await signedBody(flags.body)
    const { secret, remark: ignored } = await signingSettings(host, flags.profile, warn)
    if (ignored !== null) await whisper(ignored)
    const signed = { body, url: flags.url, secret }
    const verdict = verify(flags.signature, signed)
    if (!verdict.valid) {
      const { explainMismatch } = await import('../../signing/explain.ts')
      const explanation = explainMismatch(flags.signature, signed)
      throw new Failure('SIGNATURE_MISMATCH', verdict.message, {
        hint: explanation?.message ?? 'compare body, URL and secret with what the other side signs, byte for byte',
        details: { reason: verdict.reason, mistakes: explanation?.mistakes ?? [] },
      })
    }
    const shown = { valid: true, signature: flags.signature, url: flags.url, bodyBytes: body.byteLength }
    await show.one(shown, { card: verdictCard, list: verdictList })
  }
}
