import { troubleshooting } from '../../domain/troubleshooting.ts'
import { ConfigError } from '../../platform/config.ts'

export const checkNames = ['node', 'addon', 'open_files', 'settings', 'owner', 'disk_data', 'disk_spool', 'clock_disk',
  'store', 'clock_store', 'queue_sync', 'service', 'workers', 'queue', 'clock_queue', 'jobs', 'room', 'records',
  'secrets', 'keyring'] as const

export type CheckName = (typeof checkNames)[number]
export type CheckStatus = 'ok' | 'warn' | 'fail'

/** The result of one check. `remedy` and `help`: what to do and where to read more, unless everything is in order. */
export interface Check {
  name: CheckName
  status: CheckStatus
  message: string
  remedy?: string
  help?: string
}

export function ok (name: CheckName, message: string): Check {
  return { name, status: 'ok', message }
}

export function warn (name: CheckName, message: string, remedy: string): Check {
  return { name, status: 'warn', message, remedy, help: troubleshooting(name) }
}

export function fail (name: CheckName, message: string, remedy: string): Check {
  return { name, status: 'fail', message, remedy, help: troubleshooting(name) }
}

/** Returns the result of `look`; if it throws, the check has failed. */
export async function check (name: CheckName, remedy: string, look: () => Check | Promise<Check>): Promise<Check> {
  try {
    return await look()
  } catch (error) {
    return fail(name, (error as Error).message,
      error instanceof ConfigError ? 'correct the setting that the text names' : remedy)
  }
}

const allowedSkewMs = 5_000

/** Compares another clock with this machine's. */
export function skewCheck (name: CheckName, of: string, theirMs: number, ourMs: number,
  toleranceMs = allowedSkewMs): Check {
  const skewMs = Math.round(theirMs - ourMs)
  const message = `the clock of ${of} is ${Math.abs(skewMs)} ms ${skewMs < 0 ? 'behind' : 'ahead of'} this machine's`
  return Math.abs(skewMs) <= toleranceMs
    ? ok(name, message)
    : fail(name, message, 'let NTP set both clocks: signed addresses and retention go by them')
}
