let isSteady = false

/** Keeps V8 from enlarging its young generation by 100 MB in a long list. Slower, so only for long lists. */
export async function keepHeapSteady(): Promise<void> {
  if (isSteady) return
  isSteady = true
  const [{ setFlagsFromString }, { runInNewContext }] = await Promise.all([import('node:v8'), import('node:vm')])
  setFlagsFromString('--semi-space-growth-factor=1')
  // A full collection recalculates the heap limits; the first would come late by itself.
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}
