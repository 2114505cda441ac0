import type { JobResult } from '../../src/domain/job-result.ts'
import type { TabularOutcome } from '../../src/domain/tabular-spec.ts'
import type { ApiStage } from './api.ts'
import type { Answer } from './expect-error.ts'
import { form } from './form.ts'
import type { Json, StorageCaller } from './storage.ts'

/** Enough for a request; the worker that the test plays does not look at it. */
export const churn = 'age,plan,target\n31,basic,yes\n45,pro,no\n52,,\n'

/** What the worker that a test plays says of a table that it did not learn from. */
export function outcomeOf (changes: Partial<TabularOutcome> = {}): TabularOutcome {
  return {
    numSamples: 120,
    labeledRowCount: 100,
    unlabeledRowCount: 20,
    predictedRowCount: 20,
    problemType: 'binary',
    inferenceMode: 'train_evaluate',
    accuracy: 0.9,
    metrics: { accuracy: 0.9, balancedAccuracy: 0.875, logLoss: 0.25, rocAuc: 0.95 },
    featureImportance: [{ feature: 'plan', share: 0.75 }, { feature: 'age', share: 0.25 }],
    modelName: 'tabular-balanced',
    ...changes
  }
}

export const predictions = {
  'predictions.csv':
    'row_index,split,actual,prediction,confidence,probability_no,probability_yes\n1,test,no,no,0.75,0.75,0.25\n',
  'predictions.parquet': 'PAR1 table PAR1',
  'metrics.json': '{"accuracy": 0.9}',
  'report.json': '{"v": 1}',
  'report.html': '<!doctype html><title>report</title>'
}

/** The worker of the test ends the job that waits. */
export async function finishTabular (stage: ApiStage, outcome: Partial<TabularOutcome> = {},
  changes: Partial<JobResult> = {}): Promise<void> {
  await stage.finishNext(predictions, {
    numItems: null,
    tabular: outcomeOf(outcome),
    timings: { fit: 1, total: 2 },
    ...changes
  }, 'large')
}

export interface TabularRoute {
  path: string
  task: 'classification' | 'regression'
  /** Fields as JSON has them; a form has them as text, and undefined stands for one that is left out. */
  send: (fields: Json, headers?: Record<string, string>) => Promise<Answer>
}

/** The four routes over one table. */
export async function tabularRoutes (
  { stage, caller }: { stage: ApiStage, caller: StorageCaller }
): Promise<TabularRoute[]> {
  const objectId = await caller.store(churn)
  const doors = [{ path: '/v2/classify', task: 'classification' }, { path: '/v2/regress', task: 'regression' }] as const
  return doors.flatMap(({ path, task }): TabularRoute[] => [
    { path, task, send: (fields, headers) => upload(stage, caller.key, path, fields, headers) },
    {
      path: `${path}/storage-object`,
      task,
      send: (fields, headers) =>
        inject(stage, {
          url: `${path}/storage-object`,
          key: caller.key,
          headers,
          payload: { object_id: objectId, ...fields }
        })
    }
  ])
}

export async function upload (stage: ApiStage, key: string, url: string, fields: Json,
  headers: Record<string, string> = {}, filename = 'churn.csv', content = churn): Promise<Answer> {
  const texts = Object.entries(fields).filter(([, value]) => value !== undefined).map((
    [name, value]
  ): [string, string] => [name, typeof value === 'string' ? value : JSON.stringify(value)])
  const { headers: formHeaders, payload } = form([...texts, ['file', content, filename]])
  return await inject(stage, { url, key, headers: { ...formHeaders, ...headers }, payload })
}

async function inject (stage: ApiStage,
  { url, key, headers = {}, payload }: { url: string, key: string, headers?: Record<string, string> | undefined,
    payload: object | Buffer }): Promise<Answer> {
  const { statusCode, headers: given, payload: text } = await stage.app.inject({
    method: 'POST',
    url,
    headers: { ...headers, authorization: `Bearer ${key}` },
    payload
  })
  return {
    status: statusCode,
    headers: new Headers(Object.entries(given).map(([name, value]) => [name, String(value)])),
    text
  }
}
