import { readFile } from 'node:fs/promises'
import { Type, type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import { parse } from 'yaml'
import { closedObject } from '../../../platform/closed-object.ts'
import { ConfigError } from '../../../platform/config.ts'

const instant = () => Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}(:[0-9]{2})?Z)?$' })

/** Which times are wanted, of all entries or of one. */
const times = {
  /** Valid times from here on; a date is the begin of the day in UTC. */
  from: Type.Optional(instant()),
  /** Valid times before this; left out: as far ahead as the provider looks, at most 16 days. */
  until: Type.Optional(instant()),
  /** Instants as of which values are fetched besides those of now, where the provider keeps them. */
  as_of: Type.Optional(Type.Array(instant(), { maxItems: 1000 })),
  /** Days before each of these instants whose values are fetched; left out: from `from` on. */
  as_of_days: Type.Optional(Type.Integer({ minimum: 1, maximum: 36_500 }))
}
const what = {
  source: Type.Optional(Type.String({ maxLength: 40 })),
  variables: Type.Optional(Type.Array(Type.String({ maxLength: 200 }), { minItems: 1, maxItems: 100 })),
  ...times
}
const names = () => Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { minItems: 1, maxItems: 10_000 })
const place = Type.Union([
  closedObject({
    latitude: Type.Number({ minimum: -90, maximum: 90 }),
    longitude: Type.Number({ minimum: -180, maximum: 180 })
  }),
  closedObject({ city: Type.String({ minLength: 1, maxLength: 200 }) })
])
const places = Type.Array(place, { minItems: 1, maxItems: 10_000 })

const schemas = {
  weather: closedObject({ kind: Type.Literal('weather'), ...what, places }),
  air_quality: closedObject({ kind: Type.Literal('air_quality'), ...what, places }),
  macro: closedObject({ kind: Type.Literal('macro'), ...what }),
  rates: closedObject({ kind: Type.Literal('rates'), ...what }),
  electricity: closedObject({ kind: Type.Literal('electricity'), ...what, zones: names() }),
  transport: closedObject({ kind: Type.Literal('transport'), ...what, lines: names() })
}
export type MirrorEntry = Static<(typeof schemas)[keyof typeof schemas]>
export type MirrorConfig = { mirror: MirrorEntry[] }

const whole = Compile(closedObject({ ...times, mirror: Type.Array(Type.Object({}), { minItems: 1, maxItems: 1000 }) }))
const compiled = Object.fromEntries(Object.entries(schemas).map(([kind, schema]) => [kind, Compile(schema)]))
const maxBytes = 4 * 1024 * 1024

/**
 * What to mirror, from a YAML file or a JSON one, which is YAML. Entries have the times that the file gives for all.
 * Rejects with ConfigError that names file, entry and rule.
 */
export async function readMirrorConfig (path: string): Promise<MirrorConfig> {
  const fail = (problem: string, cause?: unknown): never => {
    throw new ConfigError(`${path}: ${problem}`, { cause })
  }
  const text = await readFile(path, 'utf8').catch((cause: unknown) => fail((cause as Error).message, cause))
  if (text.length > maxBytes) fail('is too large')
  let value: unknown
  try {
    // Anchors would let a short text stand for a long one.
    value = parse(text, { maxAliasCount: 0, prettyErrors: true })
  } catch (cause) {
    return fail(`is neither YAML nor JSON: ${(cause as Error).message}`, cause)
  }
  check(whole, value, '', fail)
  const { mirror, ...defaults } = value as { mirror: object[] }
  return { mirror: mirror.map((one, index) => readEntry({ ...defaults, ...one }, `mirror[${index}]`, fail)) }
}

function readEntry (given: { kind?: unknown }, where: string, fail: (problem: string) => never): MirrorEntry {
  const { kind } = given
  if (kind === 'holidays') return fail(`${where}.kind: holidays are built in, and need no mirror`)
  const schema = typeof kind === 'string' && Object.hasOwn(compiled, kind) ? compiled[kind] : undefined
  if (schema === undefined) {
    return fail(`${where}.kind is not a kind that can be mirrored; one of ${Object.keys(schemas).join(', ')}`)
  }
  check(schema, given, where, fail)
  const entry = given as MirrorEntry
  if (entry.from === undefined) return fail(`${where} has no from, and the file gives none for all`)
  for (const [name, time] of [['from', entry.from], ['until', entry.until],
    ...(entry.as_of ?? []).map((one, at) => [`as_of[${at}]`, one])]) {
    if (time !== undefined && Number.isNaN(Date.parse(time))) fail(`${where}.${name} is not a date`)
  }
  if (entry.until !== undefined && Date.parse(entry.until) <= Date.parse(entry.from)) {
    fail(`${where}.until is not after from`)
  }
  return entry
}

function check (schema: ReturnType<typeof Compile>, value: unknown, where: string,
  fail: (problem: string) => never): void {
  if (schema.Check(value)) return
  // What an unknown field fails with besides is of no use: its schema is `false`.
  const error = schema.Errors(value).find(({ keyword }) => keyword !== 'boolean')
  const at = `${where}${(error?.instancePath ?? '').replaceAll('/', '.')}`.replace(/^\./, '')
  const fields = (error?.params as { additionalProperties?: string[] } | undefined)?.additionalProperties
  fail(
    `${at === '' ? 'it' : at} ${error?.message ?? 'is wrong'}${fields === undefined ? '' : `: ${fields.join(', ')}`}`
  )
}
