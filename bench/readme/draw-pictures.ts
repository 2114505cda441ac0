import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { startPrivateService } from '../../src/commands/demo/private-service.ts'
import { whyNoChromium } from '../../test/support/chromium.ts'
import { picturesFolder, writePictures } from './picture-files.ts'
import { drawPictures } from './pictures.ts'

/*
 * Redraws what changed in docs/images: node .cache/bench/bench/readme/draw-pictures.js STAMP. Writes the stamp when the
 * pictures are as they should be. Without Chromium it says so, and leaves them as they are.
 */
const print = (line: string) => process.stdout.write(line + '\n')

async function redraw (): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tabcast-pictures-'))
  const service = await startPrivateService({ folder })
  try {
    const changed = writePictures(await drawPictures(service))
    print(`${picturesFolder}: ${changed.length === 0 ? 'nothing changed' : `redrawn: ${changed.join(', ')}`}`)
  } finally {
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const [stamp] = process.argv.slice(2)
if (stamp === undefined) throw new Error('usage: draw-pictures.js STAMP')
if (whyNoChromium() === false) {
  await redraw()
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, '')
} else {
  print(`WARNING: there is no Chromium, ${picturesFolder} was NOT redrawn (apt-get install chromium)`)
}
