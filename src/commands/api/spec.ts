import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../../base/failure/failure.ts'
import { OUTPUT_FLAGS } from '../../terminal/input/flags.ts'
import { genericCardView, genericListView } from '../../terminal/render/generic-views.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'
import type { Host } from '../../terminal/runtime/host.ts'

export default class ApiSpec extends PartnerCommand {
  static override summary = 'Print an OpenAPI 3.1 document of the service as JSON.'
  static override description =
    'Describes each operation with its parameters, bodies, responses and the exact messages of its errors, for client generators, mock servers and validators. "x-assumed": true marks what the specification of the service does not document. Nothing is sent. For a typed client generated from it, see partner help openapi.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> > openapi.json',
    `<%= config.bin %> <%= command.id %> --query 'paths."/GiftCards/redeem".post.responses | keys(@)'`,
    `<%= config.bin %> <%= command.id %> --query "webhooks | keys(@)" -o ndjson`,
  ]
  static override baseFlags = OUTPUT_FLAGS

  async run(): Promise<void> {
    const { show, host } = await this.open(ApiSpec)
    const text = readDocument(host)
    if (show.isPlain) return show.text(text)
    await show.answer({ text: text.trim() }, { card: genericCardView, list: genericListView([JSON.parse(text)]) })
  }
}

/** Reads the document that the build generated from the contract. Throws INTERNAL if it is missing. */
function readDocument({ dist }: Host): string {
  const file = join(dist, 'openapi.json')
  try {
    return readFileSync(file, 'utf8')
  } catch {
    throw new Failure('INTERNAL', `${file} is missing`, { hint: 'reinstall partner, or run npm run build' })
  }
}
