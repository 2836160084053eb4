export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*'
const HELP = new RegExp(`^# HELP (${NAME}) [^\\n]+$`)
const TYPE = new RegExp(`^# TYPE (${NAME}) (?:counter|gauge|histogram|summary|untyped)$`)
const LABEL = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\[\\\\"n])*"'
const SAMPLE = new RegExp(
  `^(${NAME})(?:\\{(${LABEL}(?:,${LABEL})*)?\\})? ([+-]?(?:\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?|Inf)|NaN)$`,
)

/**
 * Parses Prometheus' text format strictly. HELP and TYPE must occur once, before the samples of their metric. The
 * samples of a metric must be contiguous and must not occur twice. Each line must end with a line feed. Throws at the
 * first line that breaks a rule. Source: https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format
 */
export function samplesOf(text: string): Sample[] {
  if (!text.endsWith('\n')) throw new Error('the last line has no line feed')
  const samples: Sample[] = []
  const [begun, seen] = [new Set<string>(), new Set<string>()]
  let open: { name: string; hasType: boolean } | null = null
  for (const line of text.slice(0, -1).split('\n')) {
    const [, helped] = HELP.exec(line) ?? []
    const [, typed] = TYPE.exec(line) ?? []
    if (helped !== undefined) {
      if (begun.has(helped)) throw new Error(`a second HELP: ${line}`)
      begun.add(helped)
      open = { name: helped, hasType: false }
    } else if (typed !== undefined) {
      if (open?.name !== typed || open.hasType) throw new Error(`a TYPE without its HELP: ${line}`)
      open.hasType = true
    } else {
      const [, name, labels = '', value] = SAMPLE.exec(line) ?? []
      if (name === undefined) throw new Error(`an invalid line: ${line}`)
      if (open?.name !== name || !open.hasType) throw new Error(`a sample separated from its metric: ${line}`)
      if (seen.has(`${name}{${labels}`)) throw new Error(`a second sample: ${line}`)
      seen.add(`${name}{${labels}`)
      samples.push({ name, labels: labelsIn(labels), value: Number(value) })
    }
  }
  return samples
}

function labelsIn(text: string): Record<string, string> {
  const pairs = [...text.matchAll(/([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g)].map(([, name = '', value = '']) => [
    name,
    value.replace(/\\([\\"n])/g, (_, code: string) => (code === 'n' ? '\n' : code)),
  ])
  return Object.fromEntries(pairs)
}
