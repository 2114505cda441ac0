/*
 * Where a job's objects lie:
 *   <tenant>/<job>/input
 *   <tenant>/<job>/<run>/forecast.csv, forecast.parquet, report.json, result.cbor
 * A worker knows only `outputPrefix` (`<tenant>/<job>/`, from the message) and the run that it minted.
 */

/** Everything of one job; also its `outputPrefix`. */
export function jobPrefix (tenant: string, jobId: string): string {
  return `${tenant}/${jobId}/`
}

export function inputKey (tenant: string, jobId: string): string {
  return `${jobPrefix(tenant, jobId)}input`
}

/** Whose object it is; both are empty when the key is none of ours. */
export function ownerOf (key: string): { tenant: string, jobId: string } {
  const [tenant = '', jobId = ''] = key.split('/')
  return { tenant, jobId }
}

/** Everything of one run. */
export function runPrefix (outputPrefix: string, run: string): string {
  return `${outputPrefix}${run}/`
}

export function outputKey (outputPrefix: string, run: string, name: string): string {
  return `${runPrefix(outputPrefix, run)}${name}`
}

/** The last object that a run writes: its presence means that the run's other objects are there. */
export function resultKey (outputPrefix: string, run: string): string {
  return outputKey(outputPrefix, run, 'result.cbor')
}

/** The run that a key under `outputPrefix` belongs to; undefined for the input and for anything that is not a run's. */
export function runOfKey (outputPrefix: string, key: string): string | undefined {
  if (!key.startsWith(outputPrefix)) return undefined
  const [run, name] = key.slice(outputPrefix.length).split('/')
  return run !== undefined && name !== undefined && /^[0-9A-HJKMNP-TV-Z]{26}$/.test(run) ? run : undefined
}

/** Ascending (oldest first, as ULIDs sort by time), each once. */
export async function runsIn (outputPrefix: string, listing: AsyncIterable<{ key: string }>): Promise<string[]> {
  const runs = new Set<string>()
  for await (const { key } of listing) {
    const run = runOfKey(outputPrefix, key)
    if (run !== undefined) runs.add(run)
  }
  return [...runs].sort()
}
