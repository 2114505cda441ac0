import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { kinds, type Kind } from '../covariate-key.ts'
import { ProviderError } from '../provider-error.ts'
import { catalogRoot, currentLink } from './catalog-root.ts'
import { checkPart, manifestOf } from './key-folder.ts'

export interface KeyStatus {
  kind: Kind
  provider: string
  key: string
  /**
   * Why it cannot be read; null: it can, and its parts match the checksums of its manifest. The fields below are set
   * only then.
   */
  damage: string | null
  variables?: string[]
  freq?: string
  coverage?: { start: string, end: string }
  /** Days since it was made. */
  age_days?: number
  vintages?: boolean
  parts?: number
  bytes?: number
  license?: string
}

export interface CatalogStatus {
  directory: string
  /** The state that `current` links to, after the first import; null: folders are read directly from the directory. */
  generation: string | null
  keys: KeyStatus[]
  /** Entries of the directory that are not read. */
  ignored: string[]
}

const maxPartBytes = 256 * 1024 * 1024

/**
 * Describes the contents of a catalogue, and compares every checksum. Rejects with a ProviderError if the directory
 * cannot be listed.
 */
export async function catalogStatus (directory: string, nowMs: number): Promise<CatalogStatus> {
  const outer = await listed(directory)
  const root = await catalogRoot(directory)
  const isImported = root !== directory
  const keys: KeyStatus[] = []
  const ignored = outer.filter((name) =>
    !name.startsWith('.') && name !== currentLink && (isImported || !(kinds as readonly string[]).includes(name))
  )
  for (const kind of kinds.filter((one) => isImported ? true : outer.includes(one))) {
    for (const provider of await listed(join(root, kind), isImported)) {
      for (const key of await listed(join(root, kind, provider))) {
        keys.push(await statusOf(join(root, kind, provider, key), { kind, provider, key }, nowMs))
      }
    }
  }
  return { directory, generation: isImported ? basename(root) : null, keys, ignored }
}

async function statusOf (path: string, names: { kind: Kind, provider: string, key: string },
  nowMs: number): Promise<KeyStatus> {
  try {
    const folder = { ...names, path }
    const { variables, freq, coverage, vintages, license, generated_at: generatedAt, parts } = await manifestOf(folder)
    let bytes = 0
    for (const part of parts) bytes += (await checkPart(folder, part, maxPartBytes)).bytes
    const ageDays = Math.floor((nowMs - Date.parse(generatedAt)) / 86_400_000)
    return {
      ...names,
      damage: null,
      variables: variables.map(({ name }) => name),
      freq,
      coverage,
      age_days: ageDays,
      vintages,
      parts: parts.length,
      bytes,
      license
    }
  } catch (error) {
    if (error instanceof ProviderError) return { ...names, damage: error.message }
    throw error
  }
}

/** Names in a folder, in order. */
async function listed (path: string, mayBeMissing = false): Promise<string[]> {
  try {
    return (await readdir(path)).sort()
  } catch (cause) {
    if (mayBeMissing && (cause as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw new ProviderError('catalog', 'CATALOG_DAMAGED', { detail: `${path} cannot be listed`, cause })
  }
}
