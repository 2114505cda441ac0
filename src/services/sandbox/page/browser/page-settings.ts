import { byId } from './elements.ts'

/** What the server put into the page. */
export interface PageSettings {
  /** Of the scope sandbox, for everybody to see. */
  key: string
  /** What stands before every path of the service, where a proxy has put one. */
  prefix: string
  /** Address of the service for a command line. */
  baseUrl: string
  /** How long file and result are kept after the job, such as 1 hour. */
  kept: string
  driver: 'altcha' | 'turnstile' | 'hcaptcha' | 'none'
}

export const settings = JSON.parse(byId('settings').textContent ?? '') as PageSettings
