import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Packages of many small modules. The others stay what npm installed. */
const inlined = ['typebox', 'chrono-node', 'minio', 'nats', 'prom-client']
const { dependencies, devDependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

/**
 * Each entry becomes one file beside the chunks that it shares with others, because reading 1,500 small modules is most
 * of what a process does at its start.
 *
 * @returns {import('esbuild').BuildOptions}
 */
export const bundleOptions = (entryPoints, outbase, outdir) => ({
  entryPoints,
  outbase,
  outdir,
  chunkNames: 'chunks/[hash]',
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  external: ['#native',
    ...Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !inlined.includes(name))],
  // For the CommonJS packages among the inlined ones.
  banner: {
    js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);"
  },
  sourcemap: true,
  // Names of classes and functions are read, in logs and in stack traces.
  minify: false,
  legalComments: 'inline',
  logLevel: 'warning'
})

/** One file that a browser loads. */
const pageScript = {
  bundle: true,
  platform: 'browser',
  format: 'iife',
  target: 'es2022',
  minify: true,
  logLevel: 'warning'
}
const solverLicence = readFileSync(new URL('../node_modules/altcha-lib/LICENSE.txt', import.meta.url), 'utf8')

/**
 * Scripts of our pages: the sandbox's, whose solver is in both of its files, and the forecast plot's.
 *
 * @returns {import('esbuild').BuildOptions[]}
 */
export const pageScripts = (target) => [
  {
    ...pageScript,
    banner: { js: `/*!\naltcha-lib\n\n${solverLicence}*/` },
    entryPoints: ['src/services/sandbox/page/browser/main.ts', 'src/services/sandbox/page/browser/solve-challenge.ts'],
    outdir: join(target, 'sandbox', 'page')
  },
  {
    ...pageScript,
    entryPoints: ['src/report/browser/main.ts'],
    outfile: join(target, 'report', 'forecast-plot.js')
  }
]
