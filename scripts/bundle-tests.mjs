/*
 * Compiles the tests into .cache/test, for a run of all of them: compiling each file's imports anew as it is loaded
 * took 4 s of processor time a file. A test alone runs from its source: `npx tap run test/api/jobs.test.ts`.
 */
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { bundleOptions } from './bundle-options.mjs'

process.chdir(join(import.meta.dirname, '..'))
const target = join('.cache', 'test')
const files = readdirSync('test', { recursive: true }).filter((name) => name.endsWith('.test.ts')).map((name) =>
  join('test', name)
)

/** Tests name files that lie beside them. */
const addressOfSource = {
  name: 'address-of-source',
  setup (compiler) {
    compiler.onLoad({ filter: /\/test\/.*\.ts$/ }, ({ path }) => ({
      loader: 'ts',
      contents: readFileSync(path, 'utf8')
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
    }))
  }
}

rmSync(target, { recursive: true, force: true })
await build({ ...bundleOptions(files, 'test', target), plugins: [addressOfSource] })
