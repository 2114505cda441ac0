import { byId } from './elements.ts'

/** Settings that the server wrote into the page. */
export interface PageSettings {
  /** A key with the scope sandbox, visible to everybody. */
  key: string
  /** The path of the service behind a proxy, which precedes every path. */
  prefix: string
  /** Address of the service for a command line. */
  baseUrl: string
  /** How long file and result are kept after the job, such as "1 hour". */
  kept: string
  driver: 'altcha' | 'turnstile' | 'hcaptcha' | 'none'
}

export const settings = JSON.parse(byId('settings').textContent ?? '') as PageSettings
