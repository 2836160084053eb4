import { Malformed } from './refusals.ts'

/** Reads a boolean of the query, in any case. Fails: Malformed when it is neither `true` nor `false`. */
export function readFlag(query: URLSearchParams, name: string, otherwise: boolean): boolean {
  const text = query.get(name)?.toLowerCase()
  if (text === undefined || text === '') return otherwise
  if (text !== 'true' && text !== 'false') throw wrongValue(name, query.get(name))
  return text === 'true'
}

/** Reads a whole number of the query; null when it is not given. Fails: Malformed when it is not one, or out of range. */
export function readInteger(query: URLSearchParams, name: string, least: number, most: number): number | null {
  const text = query.get(name)
  if (text === null || text === '') return null
  if (!/^-?\d{1,15}$/.test(text)) throw wrongValue(name, text)
  const value = Number(text)
  if (value < least || value > most)
    throw new Malformed({ [name]: [`The field ${name} must be between ${least} and ${most}.`] })
  return value
}

function wrongValue(name: string, text: string | null): Malformed {
  return new Malformed({ [name]: [`The value '${text}' is not valid for ${name}.`] })
}
