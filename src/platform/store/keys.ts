/*
 * The keys of a job's objects:
 *   <tenant>/<job>/input
 *   <tenant>/<job>/covariates: values from outside, which all runs of the job share
 *   <tenant>/<job>/<run>/forecast.csv, forecast.parquet, report.json, report.html, result.cbor
 *   <tenant>/<job>/<run>/explainability/<name>: files of the analyses of a forecast
 *   <tenant>/<job>/<run>/shards/: what a forecast in shards keeps until it has ended
 *     series-<N>.bin, explained.bin, context.cbor, plan.bin: the plan; plan.bin is stored last
 *     <N>/<maker>/forecast.parquet, forecast.csv, part.bin: the files of a part
 *     <N>/part.cbor: the part that counts, if several were made
 *   <tenant>/<job>/<run>/model.bin: a fine-tuned model, which outlives its job
 * A worker knows only `outputPrefix` (`<tenant>/<job>/`, from the message) and the id that it gave the run.
 * The keys of stored objects:
 *   <category>/<tenant>/<yyyy>/<mm>/<object>/<name>
 * A tenant may have the name of a category. The keys still differ in their second part: a job's id contains `_`, and a
 * tenant's name does not.
 */

/** The prefix of all objects of a job; also its `outputPrefix`. */
export function jobPrefix (tenant: string, jobId: string): string {
  return `${tenant}/${jobId}/`
}

export function inputKey (tenant: string, jobId: string): string {
  return `${jobPrefix(tenant, jobId)}input`
}

/** The key of the job's stored covariates. */
export function covariatesKey (outputPrefix: string): string {
  return `${outputPrefix}covariates`
}

/** The tenant and job of a key; both are empty if it is not the key of a job's object. */
export function ownerOf (key: string): { tenant: string, jobId: string } {
  const [tenant = '', jobId = ''] = key.split('/')
  return { tenant, jobId }
}

/** `filename` is the client's; only characters that are harmless in any store's paths are kept. */
export function storedObjectKey (
  object: { category: string, tenant: string, objectId: string, createdAtMs: number, filename: string }
): string {
  const [year, month] = new Date(object.createdAtMs).toISOString().split('-')
  return `${object.category}/${object.tenant}/${year}/${month}/${object.objectId}/${plainName(object.filename)}`
}

/** The tenant and id of a stored object; undefined if the key is not that of one. */
export function objectOwnerOf (key: string): { tenant: string, objectId: string } | undefined {
  const [category = '', tenant = '', , , objectId = '', name, more] = key.split('/')
  const isOne = ['raw', 'processed', 'exports', 'tmp'].includes(category) && objectId.startsWith('obj_') &&
    name !== undefined && more === undefined
  return isOne ? { tenant, objectId } : undefined
}

/** Keeps the end of a long name, because it shows the type of the file. */
function plainName (filename: string): string {
  return filename.replaceAll(/[^A-Za-z0-9._-]/gu, '_').slice(-200).replace(/^\./, '_') || '_'
}

/** The prefix of all objects of a run. */
export function runPrefix (outputPrefix: string, run: string): string {
  return `${outputPrefix}${run}/`
}

export function outputKey (outputPrefix: string, run: string, name: string): string {
  return `${runPrefix(outputPrefix, run)}${name}`
}

export const resultName = 'result.cbor'

/** The last object that a run writes: if it exists, the run's other objects exist too. */
export function resultKey (outputPrefix: string, run: string): string {
  return outputKey(outputPrefix, run, resultName)
}

/** The file of a fine-tuned model among the outputs of a run; it stays when they are deleted. */
export const modelFileName = 'model.bin'

/** The folder of analyses among the outputs of a run, so that their names cannot collide with those of the result. */
export const explainabilityFolder = 'explainability'

/** The prefix of the shards of a run: its plan and the parts that are done. */
export function shardsPrefix (outputPrefix: string, run: string): string {
  return `${runPrefix(outputPrefix, run)}${shardsFolder}/`
}

/** The folder of shards among the objects of a run. */
const shardsFolder = 'shards'
/** The last object of a plan: if it exists, the others exist too. */
export const planFile = 'plan.bin'

/** The run whose plan this key under `outputPrefix` completes; undefined for any other key. */
export function runOfPlan (outputPrefix: string, key: string): string | undefined {
  const run = runOfKey(outputPrefix, key)
  return run !== undefined && key === `${shardsPrefix(outputPrefix, run)}${planFile}` ? run : undefined
}

/** The run of whose shards this key under `outputPrefix` is one; undefined for any other key. */
export function runOfShards (outputPrefix: string, key: string): string | undefined {
  const run = runOfKey(outputPrefix, key)
  return run !== undefined && key.startsWith(shardsPrefix(outputPrefix, run)) ? run : undefined
}

/** The run that a key under `outputPrefix` belongs to; undefined for the input and any other key outside a run. */
export function runOfKey (outputPrefix: string, key: string): string | undefined {
  if (!key.startsWith(outputPrefix)) return undefined
  const [run, name] = key.slice(outputPrefix.length).split('/')
  return run !== undefined && name !== undefined && /^[0-9A-HJKMNP-TV-Z]{26}$/.test(run) ? run : undefined
}

/** Each run once, ascending: the oldest first, because ULIDs sort by time. */
export async function runsIn (outputPrefix: string, listing: AsyncIterable<{ key: string }>): Promise<string[]> {
  const runs = new Set<string>()
  for await (const { key } of listing) {
    const run = runOfKey(outputPrefix, key)
    if (run !== undefined) runs.add(run)
  }
  return [...runs].sort()
}
