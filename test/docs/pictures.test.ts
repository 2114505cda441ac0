import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import t from 'tap'
import { digestsOfFiles, picturesFolder, writePictures } from '../../bench/readme/picture-files.ts'
import { drawPictures } from '../../bench/readme/pictures.ts'
import { linkedDocuments } from '../../scripts/linked-documents.mjs'
import { startPrivateService } from '../../src/commands/demo/private-service.ts'
import { whyNoChromium } from '../support/chromium.ts'
import { launcher } from '../support/command.ts'

const files = ['forecast-dark.png', 'forecast-light.png', 'report-dark.png', 'report-light.png']

t.test('the pictures of the pages are PNG files of at most 150 kB, in pairs', async (t) => {
  t.strictSame(readdirSync(picturesFolder).sort(), ['digests.json', ...files])
  for (const name of files) {
    const path = join(picturesFolder, name)
    t.ok(statSync(path).size <= 150_000, `${name}: ${statSync(path).size} bytes`)
    const other = join(picturesFolder, name.replace('-dark', '-light'))
    const [one, pair] = [await sharp(path).metadata(), await sharp(other).metadata()]
    t.strictSame([one.format, one.width, one.height], ['png', 1260, pair.height], name)
  }
  for (const page of ['README.md', 'docs/get-started/first-forecast.md']) {
    t.strictSame(
      linkedDocuments(page).filter((path) => path.endsWith('.png')).filter((path) =>
        readFileSync(page, 'utf8').includes(path.split('/').at(-1) ?? '')
      ),
      files.map((name) => join(picturesFolder, name)),
      page
    )
  }
})

t.test('the pictures show what the service makes of the demo', { skip: whyNoChromium() }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tabcast-pictures-'))
  const service = await startPrivateService({ folder, launcher })
  t.teardown(async () => {
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const pictures = await drawPictures(service)
  const digests = Object.fromEntries(pictures.map(({ name, digest }) => [name, digest]))
  t.strictSame(digests, digestsOfFiles(), '`make docs` redraws them')

  const written = join(folder, 'images')
  t.strictSame(writePictures(pictures, written), ['forecast', 'report'])
  t.strictSame(readdirSync(written).sort(), ['digests.json', ...files])
  const before = readFileSync(join(written, 'report-dark.png'))
  const otherFonts = pictures.map((one) => ({ ...one, light: Buffer.from('light'), dark: Buffer.from('dark') }))
  t.strictSame(writePictures(otherFonts, written), [], 'another browser changes nothing')
  const [forecast, report] = otherFonts as [typeof pictures[0], typeof pictures[0]]
  t.strictSame(writePictures([{ ...forecast, digest: 'another' }, report], written), ['forecast'])
  t.equal(readFileSync(join(written, 'forecast-light.png'), 'utf8'), 'light')
  t.strictSame(readFileSync(join(written, 'report-dark.png')), before)
  t.strictSame(digestsOfFiles(written), { ...digests, forecast: 'another' })
})
