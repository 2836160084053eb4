import { requiredFlag } from '../../cli/input/flags.ts'
import { PartnerCommand } from '../../cli/runtime/command.ts'
import { Failure } from '../../failure/failure.ts'
import { verify } from '../../signing/verify.ts'
import { verdictCard, verdictList } from '../../views/signatures.ts'
import { readSignedBody, readSigningSettings, SIGNED_FLAGS, SIGNING_BASE_FLAGS, urlWarning } from './_input.ts'

export default class SignVerify extends PartnerCommand {
  static override summary = 'Check the signature of a body and URL.'
  static override description =
    'Exits with 0 when the signature is right and with 5 when it is wrong. For a wrong one, it names the mistake that would explain it, such as the order, a line break, the query, or the secret in another form.'
  static override examples = [
    `<%= config.bin %> <%= command.id %> --signature "$(<%= config.bin %> sign --url https://service.example/x --body '{"a":1}')" --url https://service.example/x --body '{"a":1}'`,
  ]
  static override baseFlags = SIGNING_BASE_FLAGS
  static override flags = {
    signature: requiredFlag('HEX', 'The received signature: 64 lowercase hexadecimal digits.'),
    ...SIGNED_FLAGS,
  }

  async run(): Promise<void> {
    const { flags, show, host, warn, whisper } = await this.open(SignVerify)
    const warning = urlWarning(flags.url)
    if (warning !== null) await warn(warning)
    const body = await readSignedBody(flags.body)
    const { secret, remark: ignored } = await readSigningSettings(host, flags.profile, warn)
    if (ignored !== null) await whisper(ignored)
    const signed = { body, url: flags.url, secret }
    const verdict = verify(flags.signature, signed)
    if (!verdict.valid) {
      const { explainMismatch } = await import('../../signing/explain.ts')
      const explanation = explainMismatch(flags.signature, signed)
      throw new Failure('SIGNATURE_MISMATCH', verdict.message, {
        hint: explanation?.message ?? 'compare the body, URL and secret with those of the other side, byte for byte',
        details: { reason: verdict.reason, mistakes: explanation?.mistakes ?? [] },
      })
    }
    const shown = { valid: true, signature: flags.signature, url: flags.url, bodyBytes: body.byteLength }
    await show.one(shown, { card: verdictCard, list: verdictList })
  }
}
