import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, open, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { create } from 'tar'
import { release } from '../../../platform/process/release.ts'
import { indexName, type BundleIndex } from './bundle-index.ts'
import { mirror, type MirrorOptions } from './mirror.ts'

/**
 * Mirrors what the configuration names into a bundle: a tar of a catalogue's folders. The same values at the same time
 * give the same bytes. The file appears whole or not at all. Returns its checksum and size. Rejects as `mirror` does.
 */
export async function writeBundle (
  { path, ...options }: Omit<MirrorOptions, 'root'> & { path: string }
): Promise<{ sha256: string, bytes: number, keys: number }> {
  const target = resolve(path)
  // On the same disk as the bundle, which must have space for it anyway.
  const work = await mkdtemp(join(dirname(target), `.${basename(target)}-`))
  try {
    const root = join(work, 'catalogue')
    const keys = await mirror({ ...options, root })
    const index: BundleIndex = { schema_version: 1, generated_at: new Date(options.nowMs).toISOString(), release, keys }
    await writeFile(join(root, indexName), JSON.stringify(index, null, 2) + '\n')
    const paths: string[] = [indexName]
    for (const { path } of keys) {
      for (const name of (await readdir(join(root, path))).sort()) paths.push(`${path}/${name}`)
    }
    const file = join(work, 'bundle.tar')
    await create({ file, cwd: root, portable: true, mtime: new Date(options.nowMs), strict: true }, paths)
    const { sha256, bytes } = await synced(file)
    await rename(file, target)
    return { sha256, bytes, keys: keys.length }
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

async function synced (path: string): Promise<{ sha256: string, bytes: number }> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    hash.update(chunk as Buffer)
    bytes += (chunk as Buffer).length
  }
  await using file = await open(path)
  await file.sync()
  return { sha256: hash.digest('hex'), bytes }
}
