import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { manifestOf, partOf, type KeyFolder } from '../catalog/key-folder.ts'
import type { Manifest } from '../catalog/manifest.ts'
import { AnswerCache } from '../http/answer-cache.ts'
import { InvalidAnswer } from '../http/invalid-answer.ts'
import { ProviderError } from '../provider-error.ts'
import { BundleError } from './bundle-error.ts'
import { indexName, keyPathOf, readBundleIndex, type BundleIndex } from './bundle-index.ts'
import type { UnpackedFile } from './unpack-bundle.ts'

export interface BundledKey {
  folder: KeyFolder
  path: string
  manifest: Manifest
}

/**
 * Compares the files unpacked into `root` with the index and manifests of the bundle, and reads every part as the
 * catalogue would. Rejects with BundleError.
 */
export async function checkBundle (root: string, files: ReadonlyMap<string, UnpackedFile>,
  maxPartBytes: number): Promise<BundledKey[]> {
  if (!files.has(indexName)) {
    throw new BundleError(`the bundle has no ${indexName}: it is not one, or the end of it is missing`)
  }
  const { keys } = await readIndex(root)
  const left = new Set(files.keys())
  left.delete(indexName)
  const found: BundledKey[] = []
  for (const { path, manifest_sha256: sha256 } of keys) {
    const names = keyPathOf(path)
    if (names === undefined) {
      throw new BundleError(
        `${
          JSON.stringify(path.slice(0, 100))
        } is no folder of a catalogue; one is <kind>/<provider>/<key> with a known kind`
      )
    }
    if (!left.delete(`${path}/manifest.json`)) throw new BundleError(`${path} is missing, or there twice`)
    if (files.get(`${path}/manifest.json`)?.sha256 !== sha256) {
      throw new BundleError(`${path}/manifest.json has another checksum than ${indexName} says`)
    }
    const folder = { ...names, path: join(root, path) }
    const manifest = await inBundle(manifestOf(folder))
    if (manifest.provider !== names.provider) throw new BundleError(`${path}: its manifest is that of another provider`)
    for (const { file } of manifest.parts) {
      if (!left.delete(`${path}/${file}`)) throw new BundleError(`${path}/${file} is missing, or there twice`)
    }
    const variables = manifest.variables.map(({ name }) => name)
    if (new Set(variables).size < variables.length) {
      throw new BundleError(`${path}: its manifest names a variable twice`)
    }
    for (const part of manifest.parts) {
      await inBundle(partOf(folder, { part, manifest, variables, maxBytes: maxPartBytes, cache: new AnswerCache(0) }))
    }
    found.push({ folder, path, manifest })
  }
  const [extra] = left
  if (extra !== undefined) throw new BundleError(`${extra} is in the bundle, and nothing says what it is for`)
  return found
}

async function readIndex (root: string): Promise<BundleIndex> {
  try {
    return readBundleIndex(await readFile(join(root, indexName)))
  } catch (error) {
    if (error instanceof InvalidAnswer) throw new BundleError(`${indexName}: ${error.message}`, { cause: error })
    throw error
  }
}

/** Turns errors about a folder of the catalogue into errors about the bundle. */
async function inBundle<T> (read: Promise<T>): Promise<T> {
  try {
    return await read
  } catch (error) {
    if (error instanceof ProviderError) throw new BundleError(error.message, { cause: error })
    throw error
  }
}
