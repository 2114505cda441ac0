import type { Test } from 'tap'
import { solveChallenge, type Challenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { openApi, type ApiStage } from './api.ts'
import type { Answer } from './expect-error.ts'
import { form } from './form.ts'
import { panelCsv } from './service.ts'

/** What a form of the sandbox holds; undefined: the field is left out. */
export type Fields = Record<string, string | undefined>

export const panel = panelCsv(2, 30)

export interface SandboxStage extends ApiStage {
  sandboxKey: string
  ask(method: string, url: string, key?: string, headers?: Record<string, string>): Promise<Answer>
  /** One form to /sandbox/PATH, right but for what is said otherwise; its visitor comes from this address. */
  post(path: 'forecast' | 'classify' | 'regress', fields?: Fields,
    more?: { key?: string, file?: string | Buffer, filename?: string, address?: string,
      headers?: Record<string, string> }): Promise<Answer>
}

/** The interface with a sandbox that asks for no captcha and takes many posts, unless the settings say otherwise. */
export async function openSandbox (t: Test, settings: Record<string, string> = {}): Promise<SandboxStage> {
  const stage = await openApi(t, {
    TABCAST_SANDBOX_ENABLED: 'true',
    TABCAST_SANDBOX_CAPTCHA: 'none',
    TABCAST_SANDBOX_POSTS_PER_HOUR: '100000',
    TABCAST_SANDBOX_POSTS_PER_MINUTE: '100000',
    TABCAST_SANDBOX_READS_PER_MINUTE: '100000',
    ...settings
  })
  const { key: sandboxKey } = await stage.keys.create({ scopes: ['sandbox'] })
  const sent = async (method: string, url: string, headers: Record<string, string>, payload?: Buffer,
    remoteAddress = '127.0.0.1'): Promise<Answer> => {
    const answer = await stage.app.inject({
      method: method as 'GET',
      url,
      headers,
      remoteAddress,
      ...(payload === undefined ? {} : { payload })
    })
    return {
      status: answer.statusCode,
      headers: new Headers(Object.entries(answer.headers).map(([name, value]) => [name, String(value)])),
      text: answer.payload
    }
  }
  return Object.assign(stage, {
    sandboxKey,
    ask: async (method: string, url: string, key = sandboxKey, headers: Record<string, string> = {}) =>
      await sent(method, url, { authorization: `Bearer ${key}`, ...headers }),
    post:
      (async (path, fields = {},
        { key = sandboxKey, file = panel, filename = 'data.csv', address, headers: more = {} } = {}) => {
        const given = Object.entries({ email: 'ana@siemens.com', ...fields }).flatMap((
          [name, value]
        ): Array<[string, string]> => value === undefined ? [] : [[name, value]])
        const { headers, payload } = form([...given, ['file', file, filename]])
        return await sent('POST', `/sandbox/${path}`, { ...headers, authorization: `Bearer ${key}`, ...more }, payload,
          address)
      }) satisfies SandboxStage['post']
  })
}

/** A token of altcha, as a page makes it from what GET /sandbox/challenge says. */
export async function solve (challengeText: string): Promise<string> {
  const { challenge } = JSON.parse(challengeText) as { challenge: Challenge }
  const solution = await solveChallenge({ challenge, deriveKey })
  if (solution === null) throw new Error('the challenge was not solved')
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64')
}

export const jobOf = (
  { text }: Answer
): { job_id: string, job_type: string, status: string, error: string | null, error_code: string | null, attempt: number,
  expires_at: string | null } => JSON.parse(text) as never
