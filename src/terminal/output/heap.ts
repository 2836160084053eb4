let isSteady = false

/**
 * Keeps the memory of a long list from growing with its length. V8 otherwise enlarges the space for new objects up to a hundred
 * megabytes, although almost none of them live on. It is faster without.
 */
export async function keepHeapSteady(): Promise<void> {
  if (isSteady) return
  isSteady = true
  const [{ setFlagsFromString }, { runInNewContext }] = await Promise.all([import('node:v8'), import('node:vm')])
  setFlagsFromString('--semi-space-growth-factor=1')
  // How much garbage may gather is reckoned anew by a collection of all of it, of which the first would come late.
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}
