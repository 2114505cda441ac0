/*
 * Makes the pages that the service shows under /docs from the Markdown of docs: `build-documentation.mjs dist/docs`.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { build } from 'vitepress'

const { positionals: [target = 'dist/docs'] } = parseArgs({ allowPositionals: true })
process.chdir(join(import.meta.dirname, '..'))
const outDir = join(process.cwd(), target)
rmSync(outDir, { recursive: true, force: true })
await build('docs', { outDir })
// The service has an answer of its own for what is not there, and pages know their files by metaChunk.
for (const name of ['404.html', 'hashmap.json']) rmSync(join(outDir, name))

// Once here, and not for each reader; whoever takes no gzip gets what the service has unpacked.
for (const name of readdirSync(outDir, { recursive: true }).filter((name) => /\.(?:css|html|js)$/.test(name))) {
  const text = readFileSync(join(outDir, name))
  const packed = gzipSync(text, { level: 9 })
  if (packed.length >= text.length * 0.9) continue
  writeFileSync(join(outDir, `${name}.gz`), packed)
  rmSync(join(outDir, name))
}
