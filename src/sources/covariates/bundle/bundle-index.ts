import { Type, type Static } from 'typebox'
import { kinds, type Kind } from '../covariate-key.ts'
import { jsonReader } from '../http/read-json.ts'

/** The first entry of a bundle: its list of folders. The folders' manifests have the checksums of the parts. */
const index = Type.Object({
  schema_version: Type.Literal(1),
  generated_at: Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z$' }),
  release: Type.String({ maxLength: 100 }),
  keys: Type.Array(Type.Object({
    path: Type.String({ maxLength: 300 }),
    manifest_sha256: Type.String({ pattern: '^[0-9a-f]{64}$' })
  }), { minItems: 1, maxItems: 100_000 })
})
export type BundleIndex = Static<typeof index>

export const readBundleIndex = jsonReader(index)

export const indexName = 'bundle.json'

export interface KeyPath {
  kind: Kind
  provider: string
  key: string
}

/** Names that a folder of a bundle may have: no dot at the beginning, no separator. */
const providerName = /^[a-z][a-z0-9-]{0,39}$/
const keyName = /^[A-Za-z0-9_-][A-Za-z0-9_.,-]{0,159}$/
const fileName = /^(?:manifest[.]json|part-[A-Za-z0-9_-]{1,80}[.](?:csv|parquet))$/

/** Parses `<kind>/<provider>/<key>`; undefined for any other path, wherever it leads. */
export function keyPathOf (path: string): KeyPath | undefined {
  const [kind = '', provider = '', key = '', ...rest] = path.split('/')
  if (rest.length > 0 || !isKind(kind) || !providerName.test(provider) || !isKeyName(key)) return undefined
  return { kind, provider, key }
}

/** Whether a bundle may contain this file. */
export function isBundleFile (path: string): boolean {
  if (path === indexName) return true
  const cut = path.lastIndexOf('/')
  return keyPathOf(path.slice(0, Math.max(0, cut))) !== undefined && fileName.test(path.slice(cut + 1))
}

/** Whether a folder of a key may have this name. */
export function isKeyName (name: string): boolean {
  return keyName.test(name)
}

function isKind (name: string): name is Kind {
  return (kinds as readonly string[]).includes(name)
}
