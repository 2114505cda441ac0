export interface Sample {
  name: string
  labels: Record<string, string>
  value: number
}
export interface Family {
  name: string
  type: string
  help: string
  samples: Sample[]
}

const suffixes: Record<string, string[]> = { counter: [''], gauge: [''], histogram: ['_bucket', '_sum', '_count'] }
const help = /^# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$/
const type = /^# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram)$/
const sample =
  /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*",?)*)\})? (-?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|Inf)|\+Inf|NaN)$/

/**
 * Prometheus' text format 0.0.4 (https://prometheus.io/docs/instrumenting/exposition_formats/), read strictly: HELP and
 * TYPE before the samples of each family, families apart, no series twice, counters not below 0, buckets that add up.
 */
export function parsePrometheus (text: string): Map<string, Family> {
  if (!text.endsWith('\n')) throw new Error('the last line has no end')
  const families = new Map<string, Family>()
  const series = new Set<string>()
  let current: Family | undefined
  for (const line of text.split('\n').filter((line) => line !== '')) {
    const [, helpName, helpText = ''] = help.exec(line) ?? []
    const [, typeName, kind = ''] = type.exec(line) ?? []
    const [, name, labelText = '', number = ''] = sample.exec(line) ?? []
    if (helpName !== undefined) {
      if (families.has(helpName)) throw new Error(`${helpName} is there twice`)
      current = { name: helpName, type: '', help: helpText, samples: [] }
      families.set(helpName, current)
    } else if (typeName !== undefined) {
      if (current?.name !== typeName || current.type !== '') throw new Error(`a type out of place: ${line}`)
      current.type = kind
    } else if (name !== undefined) {
      if (current === undefined || !(suffixes[current.type] ?? []).some((suffix) => name === current?.name + suffix)) {
        throw new Error(`a sample out of place: ${line}`)
      }
      const labels = Object.fromEntries(
        [...labelText.matchAll(/([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"/g)].map((
          [, label = '', value = '']
        ) => [label, value])
      )
      const key = `${name} ${JSON.stringify(Object.entries(labels).sort())}`
      if (series.has(key)) throw new Error(`a series is there twice: ${line}`)
      series.add(key)
      current.samples.push({ name, labels, value: number === '+Inf' ? Infinity : Number(number) })
    } else {
      throw new Error(`not a line of the format: ${line}`)
    }
  }
  for (const family of families.values()) checkFamily(family)
  return families
}

function checkFamily ({ name, type, samples }: Family): void {
  if (type === '') throw new Error(`${name} has no type`)
  if (type === 'counter' && samples.some(({ value }) => !(value >= 0))) throw new Error(`${name} counts below 0`)
  if (type !== 'histogram') return
  const withoutLe = ({ le: _le, ...labels }: Record<string, string>) => JSON.stringify(Object.entries(labels).sort())
  for (const { labels, value: count } of samples.filter((one) => one.name === `${name}_count`)) {
    const buckets = samples.filter((one) =>
      one.name === `${name}_bucket` && withoutLe(one.labels) === withoutLe(labels)
    )
    const values = buckets.map(({ value }) => value)
    if (values.some((value, index) => value < (values[index - 1] ?? 0))) {
      throw new Error(`the buckets of ${name} do not add up`)
    }
    if (buckets.at(-1)?.labels['le'] !== '+Inf' || values.at(-1) !== count) {
      throw new Error(`${name} has no bucket for everything`)
    }
  }
}

/** Every series as its name and labels: what grows when a label takes values without bound. */
export function seriesOf (families: Map<string, Family>): string[] {
  return [...families.values()].flatMap(({ samples }) =>
    samples.map(({ name, labels }) => `${name}${JSON.stringify(labels)}`)
  ).sort()
}

/** The value of one series; undefined: there is none. */
export function valueOf (families: Map<string, Family>, family: string, labels: Record<string, string> = {},
  suffix = ''): number | undefined {
  return families.get(family)?.samples.find((one) =>
    one.name === family + suffix && Object.entries(labels).every(([label, value]) => one.labels[label] === value)
  )?.value
}
