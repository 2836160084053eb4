import { custom } from '@oclif/core/args'

/** A positional argument; never read from stdin, which may belong to a shell loop around us. */
const positional = custom<string>({ ignoreStdin: true })

/** A positional argument that must be there. */
export const requiredArgument = (description: string) => positional({ required: true, description })

/** A positional argument that may be left out. */
export const optionalArgument = (description: string) => positional({ required: false, description })
