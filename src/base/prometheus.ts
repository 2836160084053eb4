/** A gauge's value and labels. The value is `null` if it is unknown. */
export type Sample = readonly [value: number | null, labels: Readonly<Record<string, string>>]

/**
 * Formats a gauge for the node exporter's textfile collector. Omits unknown values, and the whole gauge if no value is
 * known. Source: https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format
 */
export function gaugeText(name: string, help: string, samples: readonly Sample[]): string {
  const lines = samples.flatMap(([value, labels]) =>
    value === null ? [] : [`${name}${labelsText(labels)} ${value}\n`],
  )
  return lines.length === 0 ? '' : `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${lines.join('')}`
}

function labelsText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
  return `{${pairs.join()}}`
}

function escaped(value: string): string {
  return value.toWellFormed().replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}
