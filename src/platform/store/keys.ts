/*
 * Where a job's objects lie:
 *   <tenant>/<job>/input
 *   <tenant>/<job>/covariates: values from outside, which all runs of the job share
 *   <tenant>/<job>/<run>/forecast.csv, forecast.parquet, report.json, report.html, result.cbor
 *   <tenant>/<job>/<run>/explainability/<name>: what analyses of the forecast left
 *   <tenant>/<job>/<run>/model.bin: a fine-tuned model, which outlives its job
 * A worker knows only `outputPrefix` (`<tenant>/<job>/`, from the message) and the run that it minted.
 * Where stored objects lie:
 *   <category>/<tenant>/<yyyy>/<mm>/<object>/<name>
 * A tenant may be called like a category: its jobs have an id with `_` where an object has its tenant, which has none.
 */

/** Everything of one job; also its `outputPrefix`. */
export function jobPrefix (tenant: string, jobId: string): string {
  return `${tenant}/${jobId}/`
}

export function inputKey (tenant: string, jobId: string): string {
  return `${jobPrefix(tenant, jobId)}input`
}

/** Under `outputPrefix`. */
export function covariatesKey (outputPrefix: string): string {
  return `${outputPrefix}covariates`
}

/** Whose object it is; both are empty when the key is none of ours. */
export function ownerOf (key: string): { tenant: string, jobId: string } {
  const [tenant = '', jobId = ''] = key.split('/')
  return { tenant, jobId }
}

/** `filename` is the client's: only what is harmless in a path of any store is kept of it. */
export function storedObjectKey (
  object: { category: string, tenant: string, objectId: string, createdAtMs: number, filename: string }
): string {
  const [year, month] = new Date(object.createdAtMs).toISOString().split('-')
  return `${object.category}/${object.tenant}/${year}/${month}/${object.objectId}/${plainName(object.filename)}`
}

/** Whose stored object it is; undefined when the key is not that of one. */
export function objectOwnerOf (key: string): { tenant: string, objectId: string } | undefined {
  const [category = '', tenant = '', , , objectId = '', name, more] = key.split('/')
  const isOne = ['raw', 'processed', 'exports', 'tmp'].includes(category) && objectId.startsWith('obj_') &&
    name !== undefined && more === undefined
  return isOne ? { tenant, objectId } : undefined
}

/** The end of a long name is kept, because it says what kind of file it is. */
function plainName (filename: string): string {
  return filename.replaceAll(/[^A-Za-z0-9._-]/gu, '_').slice(-200).replace(/^\./, '_') || '_'
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

/** The file of a fine-tuned model among the outputs of a run; it stays when they go. */
export const modelFileName = 'model.bin'

/** The folder of analyses among the outputs of a run: their names cannot meet those of the result. */
export const explainabilityFolder = 'explainability'

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
