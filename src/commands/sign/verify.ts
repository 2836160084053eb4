import { readSigned, SIGNED_FLAGS, SIGNING_BASE_FLAGS } from '../../features/sign/input.ts'
import { verdictCard, verdictList } from '../../features/sign/views.ts'
import { verify } from '../../signing/verify.ts'
import { requiredFlag } from '../../terminal/input/flags.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class SignVerify extends PartnerCommand {
  static override summary = 'Check the signature of a body and URL.'
  static override description =
    'The exit code is 0 if the signature is correct, and 5 if it is wrong. If it is wrong, the command looks for common mistakes, alone and in pairs: in the order or content of the body and URL, in the secret (which may belong to another profile), or in the format of the signature. It names the mistakes that it finds and says what to sign instead.'
  static override examples = [
    `<%= config.bin %> <%= command.id %> --signature "$(<%= config.bin %> sign --url https://service.example/x --body '{"a":1}')" --url https://service.example/x --body '{"a":1}'`,
  ]
  static override baseFlags = SIGNING_BASE_FLAGS
  static override flags = {
    signature: requiredFlag('HEX', 'The received signature: 64 lowercase hexadecimal digits.'),
    ...SIGNED_FLAGS,
  }

  async run(): Promise<void> {
    const opened = await this.open(SignVerify)
    const { flags, show, host } = opened
    const { body, settings } = await readSigned(flags, opened)
    const signed = { body, url: flags.url, secret: settings.secret }
    const verdict = verify(flags.signature, signed)
    if (!verdict.valid) {
      const { wrongSignatureFailure } = await import('../../features/sign/wrong.ts')
      throw await wrongSignatureFailure({ host, flags, signed, settings, verdict })
    }
    const shown = { valid: true, signature: flags.signature, url: flags.url, bodyBytes: body.byteLength }
    await show.one(shown, { card: verdictCard, list: verdictList })
  }
}
