import type { JobResult, ModelMetrics, TrainedModel } from '../../src/domain/job-result.ts'
import type { ApiStage } from './api.ts'
import { form } from './form.ts'
import type { StorageCaller } from './storage.ts'

export const monthly = 'item_id,timestamp,target\na,2024-01-01,1\na,2024-02-01,2\na,2024-03-01,3\n'

const metrics: ModelMetrics = { mae: 1.5, mse: 4, rmse: 2, mape: null, smape: 12.5, wql: 0.25 }

/** What the worker that a test plays says of a model that it did not train. */
export function trained (changes: Partial<TrainedModel> = {}): TrainedModel {
  return {
    freq: 'MS',
    covariates: [],
    features: ['lag_1'],
    metrics: { candidate: metrics, baseline: { ...metrics, mae: 2 } },
    ...changes
  }
}

type Fields = Array<[string, string]>

/** POST /fine-tune with a dataset; the answer as it came. */
export async function askForTraining (stage: ApiStage, key: string, fields: Fields = [],
  headers: Record<string, string> = {}) {
  const { headers: formHeaders, payload } = form([...fields, ['file', monthly, 'sales.csv']])
  return await stage.app.inject({
    method: 'POST',
    url: '/fine-tune',
    headers: { ...formHeaders, authorization: `Bearer ${key}`, ...headers },
    payload
  })
}

/** POST /forecast with a dataset; the answer as it came. */
export async function askForForecast (stage: ApiStage, key: string, fields: Fields = []) {
  const { headers, payload } = form([...fields, ['file', monthly, 'sales.csv']])
  return await stage.app.inject({
    method: 'POST',
    url: '/forecast',
    headers: { ...headers, authorization: `Bearer ${key}` },
    payload
  })
}

/** The worker of the test ends the training that waits. */
export async function finishTraining (stage: ApiStage, changes: Partial<JobResult> = {}): Promise<void> {
  await stage.finishNext({ 'model.bin': 'the bytes of a model' }, { trained: trained(), ...changes }, 'large')
}

/** A model of the tenant, trained by the worker of the test; gives its id. */
export async function makeModel ({ stage, key }: StorageCaller, fields: Fields = [],
  model: Partial<TrainedModel> = {}): Promise<string> {
  const answer = await askForTraining(stage, key, fields)
  if (answer.statusCode !== 202) throw new Error(`the training was refused: ${answer.body}`)
  await finishTraining(stage, { trained: trained(model) })
  return modelId(await endedJob(stage, key, answer.json<{ job_id: string }>().job_id))
}

export interface SeenJob {
  job_id: string
  status: string
  model_version: string | null
  [field: string]: unknown
}

/** As GET answers it once it has ended. */
export async function endedJob (stage: ApiStage, key: string, jobId: string): Promise<SeenJob> {
  for (;;) {
    const answer = await stage.app.inject({ url: `/jobs/${jobId}?wait=5`, headers: { authorization: `Bearer ${key}` } })
    if (answer.statusCode !== 200) throw new Error(`GET /jobs/${jobId} answered ${answer.body}`)
    const job = answer.json<SeenJob>()
    if (job.status === 'completed' || job.status === 'failed') return job
  }
}

function modelId ({ model_version: version }: SeenJob): string {
  if (version === null) throw new Error('the training left no model')
  return version
}
