import { readFile } from 'node:fs/promises'
import { Type, type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import { parse } from 'yaml'
import { closedObject } from '../../../platform/closed-object.ts'
import { ConfigError } from '../../../platform/config.ts'

const instant = () => Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}(:[0-9]{2})?Z)?$' })

/** The times to fetch, for all entries or for one. */
const times = {
  /** Valid times from here on; a date means its beginning in UTC. */
  from: Type.Optional(instant()),
  /** Valid times before this; absent: as far ahead as the provider looks, at most 16 days. */
  until: Type.Optional(instant()),
  /** Values are also fetched as of these instants, if the provider keeps them. */
  as_of: Type.Optional(Type.Array(instant(), { maxItems: 1000 })),
  /** How many days before each of these instants values are fetched; absent: from `from` on. */
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
 * Reads the list of what to mirror from a YAML file (JSON is YAML too). Entries inherit the times that the file gives
 * for all. Rejects with ConfigError, which names file, entry and rule.
 */
export async function readMirrorConfig (path: string): Promise<MirrorConfig> {
  const fail = (problem: string, cause?: unknown): never => {
    throw new ConfigError(`${path}: ${problem}`, { cause })
  }
  const text = await readFile(path, 'utf8').catch((cause: unknown) => fail((cause as Error).message, cause))
  if (text.length > maxBytes) fail('is too large')
  let value: unknown
  try {
    // Anchors would let a short text expand to a long one.
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
  // The second error of an unknown field says nothing useful, because its schema is `false`.
  const error = schema.Errors(value).find(({ keyword }) => keyword !== 'boolean')
  const at = `${where}${(error?.instancePath ?? '').replaceAll('/', '.')}`.replace(/^\./, '')
  const fields = (error?.params as { additionalProperties?: string[] } | undefined)?.additionalProperties
  fail(
    `${at === '' ? 'it' : at} ${error?.message ?? 'is wrong'}${fields === undefined ? '' : `: ${fields.join(', ')}`}`
  )
}
