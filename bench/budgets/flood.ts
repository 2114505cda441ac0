import { setTimeout as sleep } from 'node:timers/promises'
import { buildForm, type Answer, type LoadClient } from '../http/load-client.ts'
import { generatePanel } from '../panel.ts'

/** Each kind of request that computes while its caller waits, so many at a time, as large as they may usefully be. */
const atATime = 3
/** Who is refused asks again soon, as a client does that does not read `Retry-After`. */
const pauseMs = 50

export interface Flood {
  /** Answers by status. */
  statuses: Map<number, number>
  stop(): Promise<void>
}

/** One tenant that asks for previews, prompts, estimates and content checks as fast as they are answered. */
export function startFlood (client: LoadClient, objectId: string): Flood {
  const panel = [...generatePanel({ series: 50, length: 1000, step: 'day', seasonLength: 7 })]
  const prompt = buildForm({
    prompt: 'weekly target by item_id for the next 8 weeks, without the last month, and non negative'
  }, panel)
  const broken = buildForm({ prediction_length: '12' }, [...panel, 'last,never,1\n'])
  const estimate = Buffer.from(JSON.stringify({ object_id: objectId, prediction_length: 12 }))
  const post = async (path: string, contentType: string, body: Buffer): Promise<Answer> =>
    await client.request(path, {
      method: 'POST',
      headers: { 'content-type': contentType, 'content-length': body.length },
      body
    })
  const requests = [
    () => client.request(`/storage/objects/${objectId}/preview`),
    () => post('/agent/extract', prompt.contentType, prompt.body),
    () => post('/agent/analyze', prompt.contentType, prompt.body),
    () => post('/estimate/runtime', 'application/json', estimate),
    // A check that refuses leaves no job behind.
    () => post('/forecast', broken.contentType, broken.body)
  ]
  const statuses = new Map<number, number>()
  const stopping = new AbortController()
  const lanes = requests.flatMap((ask) =>
    Array.from({ length: atATime }, async () => {
      while (!stopping.signal.aborted) {
        const { status } = await ask()
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        if (status === 429 || status === 503) await sleep(pauseMs)
      }
    })
  )
  const ended = Promise.all(lanes)
  // Nobody waits for it before the flood is stopped, and then its error is told.
  ended.catch(() => undefined)
  return {
    statuses,
    async stop () {
      stopping.abort()
      await ended
    }
  }
}
