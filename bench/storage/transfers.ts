import { createReadStream, existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { request } from 'node:http'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PrivateService } from '../../src/commands/demo/private-service.ts'
import type { TestS3 } from '../../test/support/s3.ts'
import { LoadClient } from '../http/load-client.ts'
import { anonymousBytes, findChildProcess } from '../http/service-processes.ts'
import { median } from '../quantile.ts'
import { speedup, type Measurement } from '../result.ts'

const MiB = 2 ** 20

interface TransferOptions {
  store: 'bucket' | 'folder'
  service: PrivateService
  folder: string
  trial: boolean
  /** What ours is compared with: the store's own client, or a server that does nothing else. */
  raw: { kind: 'client', s3: TestS3, bucket: string } | { kind: 'server', url: string }
}

/** A large object up and down through signed addresses, in turn with the same bytes sent without us. */
export async function measureTransfers (
  { store, service, folder, trial, raw }: TransferOptions
): Promise<Measurement[]> {
  const bytes = (trial ? 16 : 1024) * MiB
  const path = join(folder, 'large.bin')
  if (!existsSync(path)) await writeRandom(path, bytes)
  const client = new LoadClient(service.baseUrl, await service.createKey('bench'))
  const pid = findChildProcess(service.pid, 'api')
  await sleep(trial ? 100 : 3_000)
  const idle = anonymousBytes(pid)
  let peak = idle
  const sampling = setInterval(() => {
    peak = Math.max(peak, anonymousBytes(pid))
  }, 20)
  const seconds = { up: [] as number[], down: [] as number[], rawUp: [] as number[], rawDown: [] as number[] }
  try {
    for (let round = 0; round < (trial ? 1 : 3); round++) {
      seconds.rawUp.push(
        await timed(() =>
          raw.kind === 'client'
            ? raw.s3.client.fPutObject(raw.bucket, 'raw', path)
            : send('PUT', raw.url, { 'content-length': bytes }, path)
        )
      )
      seconds.rawDown.push(
        await timed(async () =>
          raw.kind === 'client'
            ? await drain(await raw.s3.client.getObject(raw.bucket, 'raw'))
            : await send('GET', raw.url)
        )
      )
      const upload = await post(client, '/storage/uploads/presign', {
        filename: 'large.bin',
        content_type: 'application/octet-stream',
        file_size: bytes
      }) as Presigned
      seconds.up.push(await timed(async () => {
        await send('PUT', upload.upload_url, upload.required_headers, path)
        await post(client, `/storage/uploads/${upload.object_id}/complete`, {})
      }))
      seconds.down.push(await timed(async () => {
        const { text } = await client.request(`/storage/objects/${upload.object_id}/download-url`)
        await send('GET', (JSON.parse(text) as { download_url: string }).download_url)
      }))
      await client.request(`/storage/objects/${upload.object_id}`, { method: 'DELETE' })
    }
  } finally {
    clearInterval(sampling)
    client.close()
  }
  const name = raw.kind === 'client' ? "the store's client" : 'a bare HTTP server'
  const size = `${Math.round(bytes / MiB)} MiB`
  const row = (what: string, ours: number[], theirs: number[]): Measurement =>
    speedup({
      what: `${what} of ${size}, ${store}`,
      figure: median(ours),
      unit: 's',
      peer: { name, figure: median(theirs) },
      gate: { atLeast: 0.8 }
    })
  return [
    row('presigned upload with its completion', seconds.up, seconds.rawUp),
    row('presigned download', seconds.down, seconds.rawDown),
    {
      what: `those transfers, ${store}: growth of the api process's anonymous memory over idle`,
      figure: (peak - idle) / MiB,
      unit: 'MiB',
      gate: { atMost: 32 }
    }
  ]
}

interface Presigned {
  object_id: string
  upload_url: string
  required_headers: Record<string, string>
}

async function post (client: LoadClient, path: string, body: object): Promise<unknown> {
  const payload = Buffer.from(JSON.stringify(body))
  const { status, text } = await client.request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': payload.length },
    body: payload
  })
  if (status !== 200) throw new Error(`POST ${path} answered ${status}: ${text.slice(0, 300)}`)
  return JSON.parse(text)
}

async function timed (work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now()
  await work()
  return (performance.now() - startMs) / 1000
}

async function writeRandom (path: string, bytes: number): Promise<void> {
  const file = await open(path, 'w')
  for (let left = bytes; left > 0; left -= MiB) await file.writeFile(randomBytes(Math.min(MiB, left)))
  await file.close()
}

/** Sends a file, or takes an answer and drops its bytes. */
async function send (method: 'GET' | 'PUT', url: string, headers: Record<string, string | number> = {},
  path?: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const outgoing = request(url, { method, headers }, (incoming) => {
      if (incoming.statusCode !== 200) reject(new Error(`${method} was answered ${incoming.statusCode}`))
      drain(incoming).then(resolve, reject)
    })
    outgoing.on('error', reject)
    if (path === undefined) outgoing.end()
    else createReadStream(path, { highWaterMark: MiB }).on('error', reject).pipe(outgoing)
  })
}

async function drain (stream: Readable): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    stream.on('error', reject).on('end', resolve).resume()
  })
}
