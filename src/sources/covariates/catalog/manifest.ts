import { Type, type Static } from 'typebox'
import { jsonReader } from '../http/read-json.ts'
import { publicationLag } from '../publication-lag.ts'

const isoTime = Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9:.]+Z)?$' })

/** manifest.json of one folder of the catalogue: describes its parts, with their checksums. */
const manifest = Type.Object({
  schema_version: Type.Literal(1),
  kind: Type.String(),
  provider: Type.String(),
  key: Type.String(),
  variables: Type.Array(Type.Object({
    name: Type.String({ minLength: 1, maxLength: 200 }),
    unit: Type.Union([Type.String(), Type.Null()]),
    /** The publication delay of values without published_at; absent: the kind's built-in delay. */
    lag: Type.Optional(publicationLag)
  }), { minItems: 1, maxItems: 500 }),
  freq: Type.Enum(['PT15M', 'PT30M', 'PT1H', 'P1D', 'P1W', 'P1M', 'P3M', 'P1Y']),
  timezone: Type.String({ minLength: 1, maxLength: 60 }),
  coverage: Type.Object({ start: isoTime, end: isoTime }),
  vintages: Type.Boolean(),
  license: Type.String({ maxLength: 500 }),
  generated_at: isoTime,
  parts: Type.Array(Type.Object({
    file: Type.String({ pattern: '^part-[A-Za-z0-9_-]{1,80}[.](csv|parquet)$' }),
    sha256: Type.String({ pattern: '^[0-9a-f]{64}$' })
  }), { maxItems: 1000 })
})
export type Manifest = Static<typeof manifest>

export const readManifest = jsonReader(manifest)
