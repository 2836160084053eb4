import type * as zod from 'zod'

/** The zod module. It is passed to schemas when they are built, so that importing the contract does not load it. */
export type Zod = typeof zod

/** A zod schema that is built once, on first use. */
export type Schema<T extends zod.ZodType = zod.ZodType> = (z: Zod) => T

export type Infer<S extends Schema> = zod.infer<ReturnType<S>>

/** Defines a schema. `build` runs once, on first use. */
export function schema<T extends zod.ZodType>(build: (z: Zod) => T): Schema<T> {
  let built: T | undefined
  return (z) => {
    built ??= build(z)
    return built
  }
}

/**
 * Defines an object in a response. Keeps unknown members; any member may be absent. Source: "Nullable means the value
 * may be null or absent".
 */
export function lenientObject<S extends zod.core.$ZodLooseShape>(z: Zod, shape: S) {
  return z.looseObject(shape).partial()
}
