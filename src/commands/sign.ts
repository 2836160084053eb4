import { usageFailure } from '../base/failure/failure.ts'
import { readSigned, SIGNED_FLAGS, SIGNING_BASE_FLAGS } from '../features/sign/input.ts'
import { signatureCard, signatureList } from '../features/sign/views.ts'
import { sign } from '../signing/signature.ts'
import { toggle } from '../terminal/input/flags.ts'
import { signedCurl } from '../terminal/output/curl.ts'
import { PartnerCommand } from '../terminal/runtime/command.ts'

export default class Sign extends PartnerCommand {
  static override summary = 'Sign a request to a partner inbound endpoint and print the signature.'
  static override description =
    'The signature is the lowercase hex of HMAC-SHA256, keyed with the signing secret, over the bytes of the body followed by the URL. The command needs only the signing secret and sends nothing.'
  static override examples = [
    `<%= config.bin %> <%= command.id %> --url https://service.example/partners/my-pos/giftcards/balance --body '{"cardNumber":"GIFT2-00005025-AAAA"}'`,
    `<%= config.bin %> <%= command.id %> --url https://service.example/x --body '{"a":1}' --header`,
    `echo -n '{"a":1}' | <%= config.bin %> <%= command.id %> --url https://service.example/x --body - --curl`,
  ]
  static override baseFlags = SIGNING_BASE_FLAGS
  static override flags = {
    ...SIGNED_FLAGS,
    header: toggle('Print the complete header line (Name: signature).'),
    curl: toggle('Print a curl command that sends the signed request.'),
  }

  async run(): Promise<void> {
    const opened = await this.open(Sign)
    const { flags, show } = opened
    if (flags.header && flags.curl) throw usageFailure(['--header and --curl cannot be used together'])
    const { body, settings } = await readSigned(flags, opened)
    const signed = sign(body, flags.url, settings.secret)
    const curl = flags.curl ? { curl: signedCurl(flags.url, body, settings.header(), signed) } : {}
    if (flags.header && show.format === 'table') return show.text(`${settings.header()}: ${signed}\n`)
    if (curl.curl !== undefined && show.format === 'table') return show.text(`${curl.curl}\n`)
    const header = flags.header ? settings.header() : settings.headerName
    const shown = { signature: signed, header, url: flags.url, bodyBytes: body.byteLength, ...curl }
    await show.one(shown, { card: signatureCard, list: signatureList })
  }
}
