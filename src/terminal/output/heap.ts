let isSteady = false

/** Stops V8 from enlarging its young generation by 100 MB. Call it only for long lists, because it takes time. */
export async function limitHeapGrowth(): Promise<void> {
  if (isSteady) return
  isSteady = true
  const [{ setFlagsFromString }, { runInNewContext }] = await Promise.all([import('node:v8'), import('node:vm')])
  setFlagsFromString('--semi-space-growth-factor=1')
  // V8 recalculates its heap limits only during a full garbage collection, so force one now.
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}
