import { solveChallengeWorkers, type Challenge } from 'altcha-lib'
import { settings } from './page-settings.ts'
import { Problem } from './problem.ts'
import { ask } from './service.ts'

/** Globals of the services' scripts, once they have loaded. */
interface Widgets {
  turnstile?: { reset(): void }
  hcaptcha?: { reset(): void }
}

/** Form fields that the scripts add. */
const fieldNames = { turnstile: 'cf-turnstile-response', hcaptcha: 'h-captcha-response' } as const

/** A token for one request. Rejects with a Problem. */
export async function solveCaptcha (form: HTMLFormElement): Promise<string> {
  const { driver } = settings
  if (driver === 'none') return ''
  if (driver === 'altcha') return await proveWork()
  const token = new FormData(form).get(fieldNames[driver])
  if (typeof token !== 'string' || token === '') throw new Problem('Please solve the captcha first.')
  return token
}

/** Call it before another request, because a token is valid once. */
export function renewCaptcha (): void {
  const { turnstile, hcaptcha } = window as Widgets
  turnstile?.reset()
  hcaptcha?.reset()
}

async function proveWork (): Promise<string> {
  if (!isSecureContext) {
    throw new Problem('This page has to be opened with https: a browser does not let it compute the check otherwise.')
  }
  const { challenge } = await (await ask('/sandbox/challenge')).json() as { challenge: Challenge }
  const solution = await solveChallengeWorkers({
    challenge,
    concurrency: Math.max(1, Math.min(4, navigator.hardwareConcurrency)),
    createWorker: () => new Worker(`${settings.prefix}/try/solve-challenge.js`)
  })
  if (solution === null) throw new Problem('The check that you are not a program took too long. Please try again.')
  return btoa(JSON.stringify({ challenge, solution }))
}
