/*
 * Compiles src: `bundle.mjs dist [--no-source-maps] [--watch]`. Types are not checked here, but by `make lint`.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { build, context } from 'esbuild'
import { bundleOptions, pageScripts } from './bundle-options.mjs'

/** What is started by its path, and what scripts import from the compiled tree. */
const programs = [
  'cli',
  'worker/slot',
  'worker/lone-worker-process',
  'platform/disk/measure-thread',
  'platform/liveness/guard-thread',
  'platform/metadata/check-process',
  'sources/covariates/locations/place-thread',
  'platform/event-loop/pause-thread',
  'commands/demo/main',
  'api/openapi-document',
  'platform/queue/find-nats-server'
]

const { positionals: [target = 'dist'], values } = parseArgs({
  allowPositionals: true,
  options: { 'source-maps': { type: 'boolean', default: true }, watch: { type: 'boolean', default: false } },
  allowNegative: true
})
process.chdir(join(import.meta.dirname, '..'))
const options = {
  ...bundleOptions(programs.map((name) => `src/${name}.ts`), 'src', target),
  sourcemap: values['source-maps']
}
const builds = [options, ...pageScripts(target)]

if (values.watch) { for (const one of builds) await (await context(one)).watch() }
else {
  // What an earlier source left behind would be packed. The pages are built apart (build-documentation.mjs).
  for (const name of existsSync(target) ? readdirSync(target) : []) {
    if (name !== 'docs') rmSync(join(target, name), { recursive: true })
  }
  await Promise.all(builds.map((one) => build(one)))
}
