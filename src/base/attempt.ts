/** Returns the result of `work`, or `otherwise` if it throws. */
export function attempt<T, F>(work: () => T, otherwise: F): T | F {
  try {
    return work()
  } catch {
    return otherwise
  }
}
