import type * as zod from 'zod'

/** The zod module, handed to schemas when they are built, so that describing the contract does not load it. */
export type Zod = typeof zod

/** A zod schema that is built when it is first asked for. Built once per process. */
export type Schema<T extends zod.ZodType = zod.ZodType> = (z: Zod) => T

/** The TypeScript type of what a {@link Schema} accepts. */
export type Infer<S extends Schema> = zod.infer<ReturnType<S>>

/** Names a schema; the given function runs once, at first use. */
export function schema<T extends zod.ZodType>(build: (z: Zod) => T): Schema<T> {
  let built: T | undefined
  return (z) => {
    built ??= build(z)
    return built
  }
}

/** An object of a response: unknown members are kept, each documented one may be null or absent. Source: "Nullable means the value may be null or absent". */
export function lenientObject<S extends zod.core.$ZodLooseShape>(z: Zod, shape: S) {
  return z.looseObject(shape).partial()
}
