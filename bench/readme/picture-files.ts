import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Picture } from './pictures.ts'

export const picturesFolder = join('docs', 'images')

/** The digest of each picture that the folder has, by its name. */
export function digestsOfFiles (folder = picturesFolder): Record<string, string> {
  const path = digestsPath(folder)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) as Record<string, string> : {}
}

/**
 * Writes the pictures that show something else than their files, and returns their names. A picture that shows the same
 * stays as it is: another browser or other fonts change no file.
 */
export function writePictures (pictures: readonly Picture[], folder = picturesFolder): string[] {
  const digests = digestsOfFiles(folder)
  const changed = pictures.filter(({ name, digest }) => digests[name] !== digest)
  if (changed.length === 0) return []
  mkdirSync(folder, { recursive: true })
  for (const { name, light, dark } of changed) {
    writeFileSync(join(folder, `${name}-light.png`), light)
    writeFileSync(join(folder, `${name}-dark.png`), dark)
  }
  const all = Object.fromEntries(pictures.map(({ name, digest }) => [name, digest]))
  writeFileSync(digestsPath(folder), JSON.stringify(all, null, 2) + '\n')
  return changed.map(({ name }) => name)
}

function digestsPath (folder: string): string {
  return join(folder, 'digests.json')
}
