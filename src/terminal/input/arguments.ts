import { custom } from '@oclif/core/args'

/** A positional argument. Never read from stdin, which may belong to a shell loop that calls partner. */
const positional = custom<string>({ ignoreStdin: true })

export const requiredArgument = (description: string) => positional({ required: true, description })

export const optionalArgument = (description: string) => positional({ required: false, description })
