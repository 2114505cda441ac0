import { Type, type Static, type TProperties } from 'typebox'
import { Compile } from 'typebox/compile'
import Value from 'typebox/value'
import secureJson from 'secure-json-parse'
import { closedObject } from '../../platform/closed-object.ts'
import { ConfigError } from '../../platform/config.ts'
import { isTimeZone } from './alignment/civil-time.ts'
import { publicationLag } from './publication-lag.ts'
import { seriesOfAliases } from './series-of-aliases.ts'

const address = () => Type.String({ pattern: '^https?://[^\\s?#@]+$', maxLength: 500 })
const key = () => Type.String({ minLength: 1, maxLength: 500 })

const MiB = 1024 * 1024

/** The fields of every provider over the network. */
const network = {
  id: Type.String({ pattern: '^[a-z][a-z0-9-]{0,39}$' }),
  timeout_ms: Type.Integer({ default: 30_000, minimum: 100, maximum: 600_000 }),
  max_answer_bytes: Type.Integer({ default: 64 * MiB, minimum: 1024, maximum: 1024 * MiB }),
  requests_per_minute: Type.Integer({ default: 60, minimum: 1, maximum: 100_000 }),
  /** Publication delays by variable, in place of the built-in ones; `*` is every variable. */
  lags: Type.Optional(Type.Record(Type.String({ minLength: 1, maxLength: 160 }), publicationLag))
}

const entry = <T extends string, P extends TProperties>(type: T, properties: P) =>
  closedObject({ ...network, type: Type.Literal(type), ...properties })

const schemas = {
  open_meteo: entry('open_meteo', {
    base_urls: closedObject({
      forecast: address(),
      archive: address(),
      previous_runs: Type.Optional(address()),
      single_runs: Type.Optional(address()),
      air_quality: Type.Optional(address()),
      geocoding: Type.Optional(address())
    }),
    api_key: Type.Optional(key())
  }),
  fred: entry('fred', { base_url: address(), api_key: key(), series: Type.Optional(seriesOfAliases) }),
  ecb: entry('ecb', { base_url: address(), series: Type.Optional(seriesOfAliases) }),
  energy_charts: entry('energy_charts', { base_url: address() }),
  entsoe: entry('entsoe', { base_url: address(), security_token: key() }),
  digitraffic: entry('digitraffic', { base_url: address() })
}

export type ProviderEntry = Static<(typeof schemas)[keyof typeof schemas]>
export type EntryOf<T extends ProviderEntry['type']> = Extract<ProviderEntry, { type: T }>

const compiled = Object.fromEntries(Object.entries(schemas).map(([type, schema]) => [type, Compile(schema)]))
/** These mean something else in a request. */
const reserved = new Set(['auto', 'calendar', 'catalog'])

const maxProviders = 50

/**
 * The operator's providers, in the order in which a request that names no source tries them, from the text of the file
 * that `setting` names. Throws ConfigError with setting, file, entry and remedy, but no key.
 */
export function readProvidersFile (setting: string, path: string, text: string): ProviderEntry[] {
  const fail = (problem: string, cause?: unknown): never => {
    throw new ConfigError(`${setting}=${path}: ${problem}`, { cause })
  }
  let value: unknown
  try {
    value = secureJson.parse(text, undefined, { protoAction: 'error', constructorAction: 'error' })
  } catch {
    // The parser's message quotes the text, which contains keys.
    return fail('is not JSON; the file looks like {"providers": [{"id": "...", "type": "..."}]}')
  }
  const list = (value as { providers?: unknown } | null)?.providers
  if (!Array.isArray(list) || Object.keys(value as object).length > 1) {
    return fail('must be an object with a list "providers" and nothing else')
  }
  if (list.length > maxProviders) fail(`has more than ${maxProviders} providers`)
  const entries = list.map((one: unknown, index) => readEntry(one, `providers[${index}]`, fail))
  const ids = entries.map(({ id }) => id)
  const doubled = ids.find((id, index) => ids.indexOf(id) !== index || reserved.has(id))
  if (doubled !== undefined) {
    fail(`the id ${JSON.stringify(doubled)} is used twice or has a meaning of its own; choose another`)
  }
  return entries
}

function readEntry (given: unknown, where: string, fail: (problem: string) => never): ProviderEntry {
  const { type } = (given ?? {}) as { type?: unknown }
  const schema = typeof type === 'string' && Object.hasOwn(schemas, type)
    ? schemas[type as keyof typeof schemas]
    : undefined
  if (schema === undefined) {
    return fail(`${where}.type is not a known provider; one of ${Object.keys(schemas).join(', ')}`)
  }
  const check = compiled[type as string]
  if (check?.Check(given) !== true) {
    const error = check?.Errors(given).find(({ keyword }: { keyword: string }) => keyword !== 'boolean')
    const unknown = (error?.params as { additionalProperties?: string[] } | undefined)?.additionalProperties
    return fail(
      `${where}${(error?.instancePath ?? '').replaceAll('/', '.')} ${error?.message ?? 'is wrong'}${
        unknown === undefined ? '' : `: ${unknown.join(', ')}`
      } (the README of src/sources/covariates lists the fields)`
    )
  }
  const read = Value.Default(schema, Value.Clone(given)) as ProviderEntry
  for (const [variable, { day_before: rule }] of Object.entries(read.lags ?? {})) {
    if (rule !== undefined && !isTimeZone(rule.timezone)) {
      return fail(`${where}.lags.${variable}.day_before.timezone is not a time zone; one looks like Europe/Brussels`)
    }
  }
  return read
}
