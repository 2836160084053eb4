/** Variables that hold a secret of ours, by name. */
const OF_THE_TOOL = ['PARTNER_API_KEY', 'PARTNER_SIGNING_SECRET']

/** Shorter texts could be part of any value. */
const SHORTEST_SECRET = 6

/**
 * The environment for a command of the user, without secrets: not the tool's own variables, not those that are named as the place
 * of one, and none with such a secret, or one that is known, in its value.
 */
export function environmentWithoutSecrets(
  env: Readonly<Record<string, string | undefined>>,
  named: readonly string[],
  secrets: readonly string[],
): NodeJS.ProcessEnv {
  const dropped = new Set([...OF_THE_TOOL, ...named])
  const values = [...dropped].map((name) => env[name] ?? '')
  const known = [...secrets, ...values].filter((secret) => secret.length >= SHORTEST_SECRET)
  return Object.fromEntries(
    Object.entries(env).filter(
      ([name, value]) => !dropped.has(name) && !known.some((secret) => value?.includes(secret)),
    ),
  )
}
