import { custom } from '@oclif/core/args'

/**
 * Defines a positional argument that is never read from stdin, because stdin may belong to a shell loop that calls
 * partner.
 */
const positional = custom<string>({ ignoreStdin: true })

export const requiredArgument = (description: string) => positional({ required: true, description })

export const optionalArgument = (description: string) => positional({ required: false, description })
