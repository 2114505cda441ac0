import type { Manifest } from '../catalog/manifest.ts'

type Part = Manifest['parts'][number]

export type Merge =
  | { action: 'unchanged' | 'older' | 'replaced' }
  | { action: 'merged', manifest: Manifest }
  | { action: 'conflict', reason: string }

/**
 * Decides what happens to a folder of the catalogue that a bundle contains too. A bundle that is older than the folder
 * changes nothing. A bundle without vintages that has at least the same range and variables replaces the folder.
 * Otherwise its parts are added after the existing ones: values that were known at different times stay side by side,
 * and of otherwise equal values the one in the later part counts.
 */
export function mergeManifests (old: Manifest, given: Manifest): Merge {
  const known = new Set(old.parts.map(({ sha256 }) => sha256))
  const isKnown = given.parts.every(({ sha256 }) => known.has(sha256))
  if (isKnown && meaning(given) === meaning(old)) return { action: 'unchanged' }
  if (Date.parse(given.generated_at) < Date.parse(old.generated_at)) return { action: 'older' }
  // The values are the same, but the manifest describes them differently.
  if (isKnown && given.parts.length === old.parts.length) return { action: 'replaced' }
  if (!old.vintages && !given.vintages && covers(given, old)) return { action: 'replaced' }
  const reason = difference(old, given)
  if (reason !== null) return { action: 'conflict', reason }
  const added = given.parts.filter(({ sha256 }) => !known.has(sha256))
  const parts = [...old.parts, ...added.map((part) => ({ ...part, file: installedName(part, old.parts) }))]
  if (parts.length > 1000) return { action: 'conflict', reason: 'together they have more than 1,000 parts' }
  const [start, end] = [earlier(old.coverage.start, given.coverage.start), later(old.coverage.end, given.coverage.end)]
  return {
    action: 'merged',
    manifest: { ...given, coverage: { start, end }, vintages: old.vintages || given.vintages, parts }
  }
}

/** A name that no part of the folder has. */
export function installedName ({ file, sha256 }: Part, taken: readonly Part[]): string {
  return taken.some((one) => one.file === file) ? `part-${sha256}.${file.split('.')[1]}` : file
}

/** The part of a manifest that says how to read its parts, and under which licence. */
function meaning ({ variables, freq, timezone, license }: Manifest): string {
  return JSON.stringify([variables.map(({ name, unit, lag }) => [name, unit, lag ?? null]).sort(), freq, timezone,
    license])
}

function covers (given: Manifest, old: Manifest): boolean {
  const names = new Set(given.variables.map(({ name }) => name))
  return old.variables.every(({ name }) => names.has(name)) &&
    earlier(given.coverage.start, old.coverage.start) === given.coverage.start &&
    later(given.coverage.end, old.coverage.end) === given.coverage.end
}

/** null: the parts of both can be read as those of one folder. */
function difference (old: Manifest, given: Manifest): string | null {
  if (old.freq !== given.freq) return `it is ${given.freq}, and the catalogue's is ${old.freq}`
  if (old.timezone !== given.timezone) {
    return `its times are those of ${given.timezone}, and the catalogue's of ${old.timezone}`
  }
  const list = ({ variables }: Manifest) =>
    variables.map(({ name, unit }) => unit === null ? name : `${name} (${unit})`).sort().join(', ')
  return list(old) === list(given) ? null : `it has ${list(given)}, and the catalogue's has ${list(old)}`
}

function earlier (one: string, other: string): string {
  return Date.parse(one) <= Date.parse(other) ? one : other
}

function later (one: string, other: string): string {
  return Date.parse(one) >= Date.parse(other) ? one : other
}
