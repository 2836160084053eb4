import type { Difference, ServiceTable } from '../../../src/features/tables/output.ts'

export interface Luck {
  below(limit: number): number
  pick<T>(items: readonly T[]): T
}

export function luckOf(random: () => number): Luck {
  const below = (limit: number) => Math.floor(random() * limit)
  return { below, pick: (items) => items[below(items.length)] as (typeof items)[number] }
}

const LETTERS = ['', '', 'T', 'T', 'B', 'Bar ', 'VIP', 'Café ', '🌿 ', 'شرفة ', '席', 'Ñ']

/** Returns random tables for a venue. No two have the same number. */
export function randomTables(luck: Luck, count: number): ServiceTable[] {
  const first = 1 + luck.below(200)
  return Array.from({ length: count }, (_, at) => {
    const name = `${luck.pick(LETTERS)}${first + at}${luck.pick(['', '', '', 'A', 'b'])}`
    return { name, tableId: `id-${at}`, section: luck.pick(['Main', 'Terrace', null]) }
  })
}

/** Functions that each change the spelling of a name in one way, or return it unchanged if that is impossible. */
export const MUTATIONS: Readonly<Record<Difference, (name: string, luck: Luck) => string>> = {
  unicode: (name, luck) =>
    luck.pick([
      () => name.normalize('NFD'),
      () => name.replace(/[!-~]/g, (char) => String.fromCodePoint((char.codePointAt(0) ?? 0) + 0xfee0)),
      () => name.replace(/\d/g, (digit) => String.fromCodePoint(0x0660 + Number(digit))),
      () => name.replace(/\d/, '\u200b$&'),
      () => `\u200f${name}`,
    ])(),
  spaces: (name, luck) =>
    luck.pick([
      () => ` ${name}`,
      () => `${name}  `,
      () => name.replace(/(\p{L})\s*(\d)/u, (_all, letter, digit) => `${letter}   ${digit}`),
      () => name.replace(/\s+(?=\d)/, ''),
    ])(),
  punctuation: (name, luck) => name.replace(/(\p{L})(\d)/u, `$1${luck.pick(['-', '.', '_', '#', '–'])}$2`),
  case: (name, luck) => luck.pick([() => name.toLowerCase(), () => name.toUpperCase()])(),
  zeros: (name, luck) => name.replace(/\d/, `${luck.pick(['0', '00'])}$&`),
  prefix: (name, luck) =>
    `${luck.pick(['Table ', /^[T\d]/.test(name) ? 'table' : 'table ', 'Tbl-', 'TABLE #', 'Tisch '])}${name}`,
}
