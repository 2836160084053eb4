import { Ajv2020 } from 'ajv/dist/2020.js'
import { declaredCommands } from './declared-exits.ts'
import { ROOT } from './partner.ts'

const AJV = new Ajv2020({ strict: true, allErrors: true, keywords: ['x-assumed'], allowUnionTypes: true })

/** Checks a command's `--json` output against the schema that `partner commands` prints. Returns the violations. */
export function schemaViolations(id: string, stdout: string): string[] {
  const command = declaredCommands(ROOT).get(id)
  if (command === undefined) return [`there is no command ${id}`]
  if (stdout === '' || command.output === 'text') return []
  if (command.output === 'nothing') return [`it prints ${stdout.slice(0, 80)}`]
  const validate = AJV.compile(command.outputSchema)
  return (command.output === 'lines' ? stdout.split('\n').slice(0, -1) : [stdout]).flatMap((text) => {
    if (validate(JSON.parse(text))) return []
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
  })
}
