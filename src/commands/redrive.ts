import { parseArgs } from 'node:util'
import { errorTable } from '../domain/error-codes.ts'
import { dataPaths, type Config } from '../platform/config.ts'
import type { Redriven, RedriveRequest } from '../services/jobs/redrive.ts'
import { callAdminSocketIfThere } from '../services/keys/key-administration.ts'
import { KeyInputError } from '../services/keys/scopes.ts'

/** `tabcast redrive [JOB_ID...] [--tenant NAME] [--failed-with CODE]`. null for wrong usage. */
export async function runRedriveCommand (config: Config, args: string[],
  print: (line: string) => void): Promise<number | null> {
  const { values, positionals: jobIds } = parseArgs({
    args,
    allowPositionals: true,
    options: { tenant: { type: 'string' }, 'failed-with': { type: 'string' } }
  })
  const failedWith = values['failed-with'] ?? null
  if (failedWith !== null && !Object.hasOwn(errorTable, failedWith)) {
    throw new KeyInputError(`--failed-with ${failedWith}: no such error code; docs/reference/errors.md lists them`)
  }
  const request: RedriveRequest = { jobIds, tenant: values.tenant ?? null, failedWith }
  const jobs = await callAdminSocketIfThere(dataPaths(config).socket, 'POST', '/redrive', request) as
    | Redriven[]
    | undefined
  if (jobs === undefined) {
    throw new Error(
      `no service runs on TABCAST_DATA_DIR=${config.DATA_DIR}; start it: it sends every open job that the queue does ` +
        'not have by itself'
    )
  }
  for (const job of jobs) print(`${job.jobId}: ${sentence(job)}`)
  const count = (outcome: Redriven['outcome']) => jobs.filter((job) => job.outcome === outcome).length
  print(
    `${count('sent')} sent again, ${count('waiting')} waiting, ${count('running')} running, ${count('ended')} ended, ${
      count('unknown')
    } unknown`
  )
  return count('unknown') === 0 ? 0 : 1
}

function sentence ({ outcome, status, errorCode, dispatch }: Redriven): string {
  switch (outcome) {
    case 'sent':
      return `sent to the queue again, dispatch ${dispatch}`
    case 'waiting':
      return 'waits for its turn; it is sent when a worker has room'
    case 'running':
      return 'a worker gives signs of life of it; left alone'
    case 'ended':
      return status === 'failed' ? `failed with ${errorCode}, which stays; its client submits it again` : 'completed'
    case 'unknown':
      return 'no such job'
  }
}
