import { Failure } from '../../base/failure/failure.ts'
import { isJsonObject, type JsonObject } from '../../base/json/exact.ts'
import { readKeyText, readUserFile } from '../../features/sandbox/certify/input.ts'
import { verdictViews } from '../../features/sandbox/certify/views.ts'
import { requiredArgument } from '../../terminal/input/arguments.ts'
import { flag, OUTPUT_FLAGS } from '../../terminal/input/flags.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

/** The maximum size of a result file in bytes. Real results are far smaller. */
const MAX_BYTES = 64 * 1024 * 1024

export default class CertifyVerify extends PartnerCommand {
  static override summary = 'Verify the signature of a certify result.'
  static override description =
    'The exit code is 0 if the file is exactly as it was signed, byte for byte, and 5 if it is not. A valid signature proves who made the result only if you know the key: --key is the public key that the signature must match.'
  static override usage = 'certify verify FILE [FLAGS]'
  static override examples = [
    '<%= config.bin %> certify --run "<%= config.bin %> bookings list" --only no-redirect-with-key --out result.json && <%= config.bin %> <%= command.id %> result.json',
  ]
  static override args = { file: requiredArgument('result file, as certify --out wrote it') }
  static override baseFlags = OUTPUT_FLAGS
  static override flags = {
    key: flag('file:PATH', 'The public key that the signature must match, in PEM format or copied from a result.'),
  }

  async run(): Promise<void> {
    const { args, flags, show } = await this.open(CertifyVerify)
    const { readPublicKey, verifyResult } = await import('../../studio/certify/result/signed.ts')
    const known = flags.key === undefined ? null : readPublicKey(await readKeyText(flags.key, '--key'), '--key')
    const verdict = verifyResult(await readUserFile(args.file, 'FILE', MAX_BYTES), known)
    if (!verdict.isValid)
      throw new Failure('SIGNATURE_MISMATCH', `${args.file} is not valid: ${verdict.why}`, {
        hint: 'ask for the original file, as certify --out wrote it: even spaces and line endings matter',
        guide: 'certify',
        details: { file: args.file, why: verdict.why },
      })
    const { result, publicKey } = verdict
    const shown = {
      ...{ valid: true, file: args.file, publicKey, isKnownKey: known !== null },
      ...{ madeAt: textOf(result, 'madeAt'), name: textOf(result, 'name'), ...countsOf(result) },
    }
    await show.one(shown, verdictViews)
  }
}

function textOf(result: JsonObject, member: string): string | null {
  const value = result[member]
  return typeof value === 'string' ? value : null
}

function countsOf({ items }: JsonObject): { readonly passed: number; readonly failed: number } {
  const all = (Array.isArray(items) ? items : []).filter(isJsonObject)
  const count = (wanted: string) => all.filter(({ status }) => status === wanted).length
  return { passed: count('passed'), failed: count('failed') }
}
