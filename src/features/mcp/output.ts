import { textOrNull } from '../shared/members.ts'
import { own } from '../shared/output.ts'

export const clientSetup = own((z) => ({
  client: z.enum(['claude-code', 'claude-desktop', 'cursor', 'vscode', 'json']),
  file: textOrNull(z).describe("the path of the client's configuration; null if it is not known"),
  command: z.string(),
  args: z.array(z.string()),
  config: z.looseObject({}),
  add: textOrNull(z).describe('the command line that adds the server; null if the client has no such command'),
}))
