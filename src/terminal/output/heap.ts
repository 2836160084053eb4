let isSteady = false

/** Keeps V8 from enlarging the space for new objects by a hundred megabytes during a long list. Slower, so only for long lists. */
export async function keepHeapSteady(): Promise<void> {
  if (isSteady) return
  isSteady = true
  const [{ setFlagsFromString }, { runInNewContext }] = await Promise.all([import('node:v8'), import('node:vm')])
  setFlagsFromString('--semi-space-growth-factor=1')
  // How much garbage may gather is reckoned anew by a collection of all of it, of which the first would come late.
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}
