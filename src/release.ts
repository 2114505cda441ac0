import { readFileSync } from 'node:fs'

/** Version of this release, from package.json. */
export const release: string = (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }).version
