import { textOrNull } from '../shared/members.ts'
import { own } from '../shared/output.ts'

export const command = own((z) => {
  const named = { name: z.string(), about: z.string(), required: z.boolean() }
  return {
    id: z.string().describe('the command as typed, such as bookings list'),
    topic: textOrNull(z),
    summary: z.string(),
    writes: z.enum(['none', 'booking', 'money']),
    args: z.array(z.looseObject(named)),
    flags: z.array(
      z.looseObject({
        ...named,
        char: textOrNull(z),
        type: z.enum(['boolean', 'option']),
        value: textOrNull(z).describe("the value's placeholder; null if the flag takes no value"),
        options: z.array(z.string()).nullable(),
        repeats: z.boolean(),
        env: textOrNull(z),
        global: z.boolean(),
      }),
    ),
    exitCodes: z.array(z.int()),
    output: z.enum(['json', 'lines', 'text', 'nothing']),
    outputSchema: z.looseObject({}).describe('JSON Schema 2020-12 for the --json output, or for each line of it'),
  }
})
