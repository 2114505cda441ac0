import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Measurement } from '../result.ts'
import { frameForm, type LoadClient } from './load-client.ts'
import { anonymousBytes, findChildProcess } from './service-processes.ts'

const MiB = 2 ** 20

/** Growth of the api process's anonymous memory over idle while it takes in a large file. */
export async function measureUploadMemory (client: LoadClient, supervisorPid: number,
  trial: boolean): Promise<Measurement[]> {
  const series = countSeries((trial ? 40 : 400) * MiB)
  const bytes = csvHeader.length + series * rowsPerSeries * rowBytes
  const pid = findChildProcess(supervisorPid, 'api')
  await sleep(3_000)
  const idle = anonymousBytes(pid)
  let peak = idle
  const sampling = setInterval(() => {
    peak = Math.max(peak, anonymousBytes(pid))
  }, 20)
  const { contentType, head, tail } = frameForm({ presets: 'fast', prediction_length: '12' })
  try {
    const startMs = performance.now()
    const answer = await client.request('/forecast', {
      method: 'POST',
      headers: { 'content-type': contentType, 'content-length': head.length + bytes + tail.length },
      body: Readable.from(streamForm(head, series, tail), { objectMode: false })
    })
    const seconds = (performance.now() - startMs) / 1000
    if (answer.status !== 202) throw new Error(`the upload was answered ${answer.status}: ${answer.text.slice(0, 300)}`)
    await client.delete((JSON.parse(answer.text) as { job_id: string }).job_id)
    return [
      {
        what: `upload of ${Math.round(bytes / MiB)} MiB: growth of the api process's anonymous memory over idle`,
        figure: (peak - idle) / MiB,
        unit: 'MiB',
        gate: { atMost: 64 }
      },
      { what: 'that upload, first byte to 202 (stored, header checked, record on disk)', figure: seconds, unit: 's' }
    ]
  } finally {
    clearInterval(sampling)
  }
}

const csvHeader = Buffer.from('item_id,timestamp,target\n')
const rowsPerSeries = 1000
/** Rows of one width, so that the content length is known before the first byte is made. */
const rowBytes = 'series_000000,2010-01-01 00:00:00,100.125\n'.length

function countSeries (bytes: number): number {
  return Math.ceil(bytes / (rowsPerSeries * rowBytes))
}

function* streamForm (head: Buffer, series: number, tail: Buffer): Generator<Buffer> {
  yield head
  yield csvHeader
  const stamps = Array.from({ length: rowsPerSeries },
    (_, hour) => new Date(Date.UTC(2010, 0, 1, hour)).toISOString().slice(0, 19).replace('T', ' '))
  for (let item = 0; item < series; item++) {
    const id = `series_${String(item).padStart(6, '0')}`
    yield Buffer.from(
      stamps.map((stamp, step) => `${id},${stamp},${(100 + (item + step) % 800 + 0.125).toFixed(3)}\n`).join('')
    )
  }
  yield tail
}
