import type { Schema } from './request-fields.ts'

/** Sizes that one request may have in all. */
export interface Sizes {
  characters: number
  items: number
}

/** Values that a schema cannot say: by the name of the field. */
export type Known = Record<string, (maxLength: number) => unknown>

const manyNames = (maxLength: number): string =>
  Array.from({ length: 50 }, (_, at) => `c${at}`.padEnd(Math.min(9, Math.floor(maxLength / 50) - 1), 'x')).join(',')

/** Fields of text that is read further. */
export const knownFields: Known = {
  covariates: manyNames,
  quantile_levels: () => Array.from({ length: 50 }, (_, at) => `.${String(at + 1).padStart(2, '0')}`).join(','),
  freq: () => 'D',
  step: () => 'D',
  presets: () => 'best',
  base_preset: () => 'best',
  problem_type: () => 'auto',
  inference_mode: () => 'auto',
  source: () => 'auto',
  timezone: () => 'America/Argentina/ComodRivadavia',
  content_type: () => 'text/csv',
  created_after: () => '2026-01-01T00:00:00.000000000+00:00',
  expires: () => '999d',
  overlap: () => '24h',
  cursor: (maxLength) => 'x'.repeat(maxLength),
  callback_url: (maxLength) => 'https://example.com/'.padEnd(maxLength, 'x'),
  tenant: (maxLength) => 'a'.repeat(maxLength),
  op: () => 'in',
  granularity: () => 'daily',
  item_id_column: () => 'item_id',
  timestamp_column: () => 'timestamp',
  target_column: () => 'target',
  endpoint_url: () => 'https://s3.example.com',
  external_covariates: () => ({
    holidays: { enabled: true, country_code: 'US', subdivision_code: 'CA', timezone: 'America/Los_Angeles' }
  }),
  metadata: () => Object.fromEntries(Array.from({ length: 180 }, (_, at) => [`k${at}`, at]))
}

/** Fields that go with a choice which the largest request does not make. */
export const leftOut = new Set(['role_arn', 'external_id', 'problem', 'rows', 'sheet_name', 'series_columns'])

/**
 * A value at every bound: the largest number, the longest text, the fullest list; no more than `sizes` of texts and
 * lists.
 */
export function largest (schema: Schema, name: string, known: Known, sizes: Sizes, at = 0): unknown {
  const { type, anyOf, properties = {}, items = {}, enum: values, const: constant } = schema
  const maxLength = Math.min(schema.maxLength ?? Infinity, sizes.characters)
  if (known[name] !== undefined && type !== 'array' && anyOf === undefined) {
    return known[name](schema.maxLength ?? sizes.characters)
  }
  if (constant !== undefined) return constant
  if (values !== undefined) return values[at % values.length]
  if (anyOf !== undefined) return largest(anyOf.find((branch) => branch.type !== 'null') ?? {}, name, known, sizes, at)
  switch (type) {
    case 'integer':
    case 'number':
      return schema.maximum ?? schema.exclusiveMaximum ?? 0
    // Columns have to differ from each other.
    case 'string':
      return `${name.slice(0, Math.max(0, maxLength - 5))}${at}`.padEnd(maxLength, 'x').slice(0, maxLength)
    case 'boolean':
      return true
    case 'array': {
      const length = Math.min(schema.maxItems ?? 0, sizes.items,
        schema.uniqueItems === true && items.enum !== undefined ? items.enum.length : Infinity)
      return Array.from({ length }, (_, place) => largest(items, name, known, sizes, place))
    }
    case 'object':
      return Object.fromEntries(
        Object.entries(properties).filter(([field]) => !leftOut.has(field)).map((
          [field, inner]
        ) => [field, largest(inner, field, known, sizes, at)])
      )
    default:
      return null
  }
}

/**
 * The largest values that fit into `maxBytes` and `maxKeys`: once with lists as full as they go and short texts, once
 * with texts as long as they go and short lists.
 */
export function largestWithin (schema: Schema, name: string, known: Known, maxBytes: number,
  maxKeys: number): unknown[] {
  const fits = (value: unknown): boolean => {
    const text = JSON.stringify(value)
    return Buffer.byteLength(text) <= maxBytes && text.split('":').length <= maxKeys
  }
  const grown = (most: number, of: (size: number) => Sizes): unknown => {
    const made = (size: number): unknown => largest(schema, name, known, of(size))
    let [fitting, tooLarge] = [1, 2]
    while (tooLarge < most && fits(made(tooLarge))) [fitting, tooLarge] = [tooLarge, tooLarge * 2]
    while (tooLarge - fitting > fitting / 20 + 1) {
      const middle = Math.floor((fitting + tooLarge) / 2)
      if (fits(made(middle))) fitting = middle
      else tooLarge = middle
    }
    return made(fitting)
  }
  return [grown(2_048, (size) => ({ characters: 8, items: size })),
    grown(65_536, (size) => ({ characters: size, items: 3 }))]
}
