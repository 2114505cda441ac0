import { accessSync, constants } from 'node:fs'
import { chromium, type Browser } from 'playwright-core'

const places = [process.env['CHROMIUM'] ?? '', '/usr/bin/chromium', '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome']

const path = places.find((place) => {
  try {
    accessSync(place, constants.X_OK)
    return true
  } catch {
    return false
  }
})

/** Why tests in a browser are skipped; false where there is one. CI has one. */
export function whyNoChromium (): string | false {
  if (path !== undefined) return false
  if (process.env['CI']) throw new Error('there is no Chromium: apt-get install chromium')
  return 'NOT TESTED: there is no Chromium on this machine (apt-get install chromium, or name one in CHROMIUM)'
}

export async function startChromium (): Promise<Browser> {
  if (path === undefined) throw new Error('there is no Chromium')
  return await chromium.launch({ executablePath: path })
}
