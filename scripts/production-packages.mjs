import { cpSync, existsSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'

/** Types, source maps and prose; nothing that runs reads them. */
const needless = /\.(map|ts|mts|cts|md|markdown|flow)$/
const licence = /^(licen[cs]e|notice|copying|copyright)/i
const needlessFolders = ['test', 'tests', 'docs', 'example', 'examples', 'benchmark', 'benchmarks', '.github']

/**
 * Copies the packages that package-lock.json has for production from node_modules, which `npm ci` has checked, without
 * what is not needed to run on the platform (`linux-x64-gnu`). Returns their folders, such as `node_modules/fastify`,
 * in order.
 */
export function copyProductionPackages (target, platform) {
  const foreignLibc = platform.endsWith('musl') ? '.glibc.node' : '.musl.node'
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const folders = Object.keys(packages).filter((path) => path !== '' && !packages[path].dev).sort()
  // A package for another platform is optional and not installed.
  const missing = folders.find((path) => !existsSync(path) && !packages[path].optional)
  if (missing !== undefined) throw new Error(`${missing} is not installed: run \`make setup\``)
  const installed = folders.filter((path) => existsSync(path))
  for (const folder of installed) {
    cpSync(folder, join(target, folder), {
      recursive: true,
      filter (path) {
        const inside = relative(folder, path)
        if (inside === '') return true
        const name = basename(path)
        if (statSync(path).isDirectory()) {
          return name !== 'node_modules' && !(dirname(inside) === '.' && needlessFolders.includes(name))
        }
        return licence.test(name) || !(needless.test(name) || name.endsWith(foreignLibc))
      }
    })
  }
  return installed
}
