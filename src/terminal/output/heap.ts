let isSteady = false

/** Stops V8 from enlarging its young generation by 100 MB. This costs time, so it is used only for long lists. */
export async function limitHeapGrowth(): Promise<void> {
  if (isSteady) return
  isSteady = true
  const [{ setFlagsFromString }, { runInNewContext }] = await Promise.all([import('node:v8'), import('node:vm')])
  setFlagsFromString('--semi-space-growth-factor=1')
  // V8 recalculates its heap limits in a full collection, and without this call the first would come late.
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}
