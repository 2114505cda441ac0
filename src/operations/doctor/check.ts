export type CheckStatus = 'ok' | 'warn' | 'fail'

/** The result of one check. `remedy`: what to do, unless everything is in order. */
export interface Check {
  name: string
  status: CheckStatus
  message: string
  remedy?: string
}

export function ok (name: string, message: string): Check {
  return { name, status: 'ok', message }
}

export function warn (name: string, message: string, remedy: string): Check {
  return { name, status: 'warn', message, remedy }
}

export function fail (name: string, message: string, remedy: string): Check {
  return { name, status: 'fail', message, remedy }
}

/** Returns the result of `look`; if it throws, the check has failed. */
export async function check (name: string, remedy: string, look: () => Check | Promise<Check>): Promise<Check> {
  try {
    return await look()
  } catch (error) {
    return fail(name, (error as Error).message, remedy)
  }
}

const allowedSkewMs = 5_000

/** Compares another clock with this machine's. */
export function skewCheck (name: string, of: string, theirMs: number, ourMs: number,
  toleranceMs = allowedSkewMs): Check {
  const skewMs = Math.round(theirMs - ourMs)
  const message = `the clock of ${of} is ${Math.abs(skewMs)} ms ${skewMs < 0 ? 'behind' : 'ahead of'} this machine's`
  return Math.abs(skewMs) <= toleranceMs
    ? ok(name, message)
    : fail(name, message, 'let NTP set both clocks: signed addresses and retention go by them')
}
