import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ManifestCommand, type ManifestFlag, manifestCommands } from '../manifest.ts'
import { exitCodesOf } from './exit-codes.ts'
import { outputOf } from './outputs.ts'
import { outputSchema } from './schemas.ts'

// Generates the output of `partner commands` and the JSON Schemas in docs/schemas, from the oclif manifest and the
// commands' output schemas.

/** A command in the output of `partner commands`. */
export type SurfaceCommand = ReturnType<typeof described>

/**
 * Writes all commands to `file`, and their schemas to the `schemas` directory. Removes everything else from that
 * directory. Returns the commands.
 */
export function writeSurface(root: string, file: string, schemas: string): readonly SurfaceCommand[] {
  const surface = manifestCommands(root)
    .filter((command) => !command.hidden)
    .map(described)
  writeFileSync(file, JSON.stringify(surface))
  mkdirSync(schemas, { recursive: true })
  const wanted = new Map(surface.map(({ id, outputSchema }) => [`${id.replaceAll(' ', '-')}.json`, outputSchema]))
  for (const name of readdirSync(schemas)) if (!wanted.has(name)) rmSync(join(schemas, name))
  for (const [name, schema] of wanted) writeFileSync(join(schemas, name), `${JSON.stringify(schema, null, 2)}\n`)
  return surface
}

function described({ id: colons, summary = '', writes = 'none', args, flags }: ManifestCommand) {
  const id = colons.replaceAll(':', ' ')
  const output = outputOf(id)
  if (output === undefined)
    throw new Error(`scripts/build/surface/outputs.ts has no entry for ${id}: add what it prints with --json`)
  const topics = id.split(' ').slice(0, -1)
  return {
    id,
    topic: topics.length === 0 ? null : topics.join(' '),
    summary,
    writes,
    args: Object.values(args).map(({ name, description = '', required = false }) => ({
      name,
      about: description,
      required,
    })),
    flags: Object.values(flags)
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map(flagOf),
    exitCodes: exitCodesOf({ id, writes, flags: Object.keys(flags) }),
    output: output.form,
    outputSchema: outputSchema(id, output, Object.keys(flags)),
  }
}

function flagOf(flag: ManifestFlag) {
  const { name, char = null, summary = '', type, required = false, multiple = false, env = null } = flag
  return {
    name,
    about: summary,
    required,
    char,
    type,
    value: type === 'boolean' ? null : (flag.helpValue ?? 'VALUE'),
    options: flag.options ?? null,
    repeats: multiple,
    env,
    global: flag.helpGroup === 'GLOBAL',
  }
}
