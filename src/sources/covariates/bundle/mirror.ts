import { join } from 'node:path'
import type { KeyOf, Kind } from '../covariate-key.ts'
import { resolveCity } from '../locations/resolve-city.ts'
import type { Observations } from '../observations.ts'
import type { ProviderRegistry } from '../provider-registry.ts'
import type { CovariateRequest, Provider } from '../provider.ts'
import { chooseVariables } from '../variables.ts'
import { BundleError } from './bundle-error.ts'
import { isKeyName, type BundleIndex, type KeyPath } from './bundle-index.ts'
import { keyRowsOf } from './key-rows.ts'
import type { MirrorConfig, MirrorEntry } from './mirror-config.ts'
import { writeKey } from './write-key.ts'

export interface MirrorOptions {
  config: MirrorConfig
  /** The operator's providers, without a catalogue. */
  registry: ProviderRegistry
  /** An empty folder, which becomes a catalogue. */
  root: string
  nowMs: number
  signal: AbortSignal
  /** Prints one line for each folder that was written, and for each thing that the provider did not have. */
  print: (line: string) => void
}

/** A folder of the catalogue to be made, and the request for its values. */
interface Wanted {
  name: string
  key: KeyOf[Kind]
  variables: string[]
}

const dayMs = 86_400_000
const aheadMs = 16 * dayMs

/**
 * Fetches what the configuration names, as a forecast would, into folders of a catalogue. Rejects with a ProviderError,
 * CovariateInputError or BundleError.
 */
export async function mirror (options: MirrorOptions): Promise<BundleIndex['keys']> {
  const written = new Map<string, string>()
  for (const entry of options.config.mirror) {
    const variables = chooseVariables(entry.kind, entry.variables, options.registry.aliases(entry.kind))
    for (const wanted of await wantedOf(entry, variables)) {
      const { provider, reason } = await options.registry.choose(entry.kind, entry.source ?? 'auto',
        wanted.key as never, wanted.variables)
      if (provider === null) throw new BundleError(`${entry.kind} ${wanted.name}: ${reason}`)
      const names = { kind: entry.kind, provider: provider.id, key: wanted.name }
      const path = `${names.kind}/${names.provider}/${names.key}`
      if (!isKeyName(names.key)) throw new BundleError(`${path}: a folder cannot have that name`)
      if (written.has(path)) throw new BundleError(`${path} is named twice`)
      const sha256 = await mirrorKey(options, entry, wanted, provider, names)
      if (sha256 !== null) written.set(path, sha256)
    }
  }
  if (written.size === 0) throw new BundleError('no provider had any value: there is nothing to put into a bundle')
  return [...written].map(([path, sha256]) => ({ path, manifest_sha256: sha256 }))
}

/** null: the provider has nothing. */
async function mirrorKey ({ root, nowMs, signal, print }: MirrorOptions, entry: MirrorEntry, { key, variables }: Wanted,
  provider: Provider, names: KeyPath): Promise<string | null> {
  const startMs = Date.parse(entry.from as string)
  const endMs = entry.until === undefined ? nowMs + aheadMs : Date.parse(entry.until)
  const path = `${names.kind}/${names.provider}/${names.key}`
  const fetch = async (change: Partial<CovariateRequest>) =>
    await provider.fetch({
      kind: entry.kind,
      key,
      variables,
      startMs,
      endMs,
      cutoffMs: nowMs,
      mode: 'latest',
      signal,
      ...change
    })
  const found: Observations[] = []
  for (const time of [...entry.as_of ?? []].sort()) {
    const cutoffMs = Date.parse(time)
    const from = entry.as_of_days === undefined ? startMs : Math.max(startMs, cutoffMs - entry.as_of_days * dayMs)
    if (from < endMs) found.push(...(await fetch({ mode: 'as_of', cutoffMs, startMs: from })).observations)
  }
  // If vintages are requested, today's values are one of them, and must not look as if they had always been known.
  const { observations, missing } = await fetch(entry.as_of === undefined ? {} : { mode: 'as_of' })
  found.push(...observations)
  for (const { variable, reason } of missing) print(`${path}: ${variable} is missing: ${reason}`)
  const rows = keyRowsOf(found)
  if (rows === null) return null
  const { sha256, manifest: { coverage } } = await writeKey(join(root, path), names, rows, {
    license: provider.attribution,
    generatedAtMs: nowMs,
    lagOf: provider.lagOf
  })
  print(`${path}: ${rows.variables.join(', ')}; ${rows.rows.length} rows, ${coverage.start} to ${coverage.end}`)
  return sha256
}

async function wantedOf (entry: MirrorEntry, variables: string[]): Promise<Wanted[]> {
  switch (entry.kind) {
    case 'weather':
    case 'air_quality': {
      const wanted: Wanted[] = []
      for (const [index, place] of entry.places.entries()) {
        const { latitude, longitude } = 'city' in place
          ? (await resolveCity(place.city, `${entry.kind}.places[${index}].city`)).location
          : place
        const key = { latitude: Number(latitude.toFixed(4)), longitude: Number(longitude.toFixed(4)) }
        wanted.push({ name: `${decimal(key.latitude)},${decimal(key.longitude)}`, key, variables })
      }
      return wanted
    }
    // Each series is a folder.
    case 'macro':
    case 'rates':
      return variables.map((variable) => ({ name: variable.replace('/', '.'), key: {}, variables: [variable] }))
    case 'electricity':
      return entry.zones.map((zone) => ({ name: zone, key: { zone }, variables }))
    case 'transport':
      return entry.lines.map((line) => ({ name: line, key: { line }, variables }))
  }
}

/** Digits only, because tiny numbers would print with an exponent. */
function decimal (degrees: number): string {
  // Adding 0 turns -0 into 0.
  return String(Number(degrees.toFixed(4)) + 0)
}
