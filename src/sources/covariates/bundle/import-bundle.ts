import { mkdir, open, readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { lockFile } from '../../../engine/file-lock.ts'
import { catalogRoot } from '../catalog/catalog-root.ts'
import { manifestOf } from '../catalog/key-folder.ts'
import type { Manifest } from '../catalog/manifest.ts'
import { kinds } from '../covariate-key.ts'
import { BundleError } from './bundle-error.ts'
import { checkBundle, type BundledKey } from './check-bundle.ts'
import { linkFile, linkTree, makeStaging, publishGeneration, removeLeftovers } from './generation.ts'
import { mergeManifests, type Merge } from './merge-manifests.ts'
import { bundleCaps, unpackBundle, type BundleCaps } from './unpack-bundle.ts'

export interface ImportedKey {
  path: string
  action: 'added' | 'replaced' | 'merged' | 'unchanged' | 'older'
}

export interface ImportOptions {
  bundlePath: string
  /** The catalogue's directory, which must exist. */
  directory: string
  /** Folders of the bundle replace existing ones, whatever those contain. */
  replaces: boolean
  caps?: BundleCaps
}

type Planned = { key: BundledKey } & ({ action: 'added' } | Exclude<Merge, { action: 'conflict' }>)

/**
 * Imports a bundle into the catalogue, all of it or nothing. Files that are already there are not written again.
 * Rejects with BundleError, with FileLockError if another import is running, with a ProviderError if a folder to be
 * changed is damaged, or with an error of the file system.
 */
export async function importBundle (
  { bundlePath, directory, replaces, caps = bundleCaps }: ImportOptions
): Promise<ImportedKey[]> {
  if (await isMissing(directory)) {
    throw new BundleError(`${directory} is not there: make the folder first, readable by those who run the service`)
  }
  if (!(await stat(directory)).isDirectory()) throw new BundleError(`${directory} is not a folder`)
  if (await isMissing(bundlePath)) throw new BundleError(`${bundlePath} is not there`)
  const lock = lockFile(join(directory, '.lock'))
  try {
    const base = await catalogRoot(directory)
    await removeLeftovers(directory, [basename(base)])
    const staging = await makeStaging(directory)
    try {
      const files = await unpackBundle(bundlePath, staging, caps)
      const keys = await checkBundle(staging, files, caps.fileBytes)
      const plan: Planned[] = []
      for (const key of keys) plan.push(await planOf(key, base, replaces))
      const changes = plan.filter(({ action }) => action !== 'unchanged' && action !== 'older')
      if (changes.length > 0) await publishGeneration(directory, async (root) => await build(root, base, changes))
      return plan.map(({ key: { path }, action }) => ({ path, action }))
    } finally {
      // The previous state stays until the next import, for processes that still read it.
      await removeLeftovers(directory, [basename(await catalogRoot(directory)), basename(base)])
    }
  } finally {
    lock.release()
  }
}

async function planOf (key: BundledKey, base: string, replaces: boolean): Promise<Planned> {
  const path = join(base, key.path)
  if (await isMissing(path)) return { key, action: 'added' }
  if (replaces) return { key, action: 'replaced' }
  const merge = mergeManifests(await manifestOf({ ...key.folder, path }), key.manifest)
  if (merge.action === 'conflict') {
    throw new BundleError(
      `${key.path} cannot be added to the catalogue's: ${merge.reason}. With --replace it takes its place.`
    )
  }
  return { key, ...merge }
}

/** Builds the new state: the previous one with the changes. Unchanged folders are linked. */
async function build (root: string, base: string, changes: readonly Planned[]): Promise<void> {
  const changed = new Map(changes.map((change) => [change.key.path, change]))
  for (const kind of kinds) {
    for (const provider of await namesIn(join(base, kind))) {
      for (const key of await namesIn(join(base, kind, provider))) {
        const path = join(kind, provider, key)
        if (!changed.has(path)) await linkTree(join(base, path), join(root, path))
      }
    }
  }
  for (const { key, ...change } of changes) {
    const target = join(root, key.path)
    if (change.action !== 'merged') {
      await linkTree(key.folder.path, target)
      continue
    }
    await mkdir(target, { recursive: true })
    await writeManifest(target, change.manifest)
    const staged = new Map(key.manifest.parts.map(({ file, sha256 }) => [sha256, file]))
    const here = new Set(
      (await manifestOf({ ...key.folder, path: join(base, key.path) })).parts.map(({ sha256 }) => sha256)
    )
    for (const { file, sha256 } of change.manifest.parts) {
      await linkFile(here.has(sha256) ? join(base, key.path, file) : join(key.folder.path, staged.get(sha256) ?? file),
        join(target, file))
    }
  }
}

async function writeManifest (folder: string, manifest: Manifest): Promise<void> {
  await using file = await open(join(folder, 'manifest.json'), 'wx', 0o644)
  await file.writeFile(JSON.stringify(manifest, null, 2) + '\n')
  await file.sync()
}

async function namesIn (path: string): Promise<string[]> {
  if (await isMissing(path) || !(await stat(path)).isDirectory()) return []
  return await readdir(path)
}

async function isMissing (path: string): Promise<boolean> {
  try {
    await stat(path)
    return false
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true
    throw error
  }
}
