import type * as zod from 'zod'

/** The zod module. It is passed to schemas when they are built, so that importing the contract does not load zod. */
export type Zod = typeof zod

/** A zod schema. It is built only once, when it is first used. */
export type Schema<T extends zod.ZodType = zod.ZodType> = (z: Zod) => T

export type Infer<S extends Schema> = zod.infer<ReturnType<S>>

/** Defines a schema. `build` is called only once, when the schema is first used. */
export function schema<T extends zod.ZodType>(build: (z: Zod) => T): Schema<T> {
  let built: T | undefined
  return (z) => {
    built ??= build(z)
    return built
  }
}

/**
 * Defines an object in a response. Unknown members are kept, and any member may be absent. Source: "Nullable means the
 * value may be null or absent".
 */
export function lenientObject<S extends zod.core.$ZodLooseShape>(z: Zod, shape: S) {
  return z.looseObject(shape).partial()
}
