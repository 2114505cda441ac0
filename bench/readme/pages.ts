import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The first page and the pages of `docs`, by path. What makes them readable in a browser is in a hidden folder. */
export function readPages (): Map<string, string> {
  const names = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md') && !name.startsWith('.')
  ).sort()
  return new Map(['README.md', ...names.map((name) => join('docs', name))].map((
    path
  ) => [path, readFileSync(path, 'utf8')]))
}
