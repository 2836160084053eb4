import type * as zod from 'zod'

/** The zod module. Schemas receive it when they are built, so that the contract itself does not load it. */
export type Zod = typeof zod

/** A zod schema, built at its first use, once per process. */
export type Schema<T extends zod.ZodType = zod.ZodType> = (z: Zod) => T

/** The type of the values that a {@link Schema} accepts. */
export type Infer<S extends Schema> = zod.infer<ReturnType<S>>

/** Defines a schema; `build` runs once, at its first use. */
export function schema<T extends zod.ZodType>(build: (z: Zod) => T): Schema<T> {
  let built: T | undefined
  return (z) => {
    built ??= build(z)
    return built
  }
}

/** An object of a response. Keeps unknown members; any member may be absent. Source: "Nullable means the value may be null or absent". */
export function lenientObject<S extends zod.core.$ZodLooseShape>(z: Zod, shape: S) {
  return z.looseObject(shape).partial()
}
