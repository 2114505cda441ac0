import { isTabular } from '../domain/job.ts'
import type { JobMessage } from '../platform/queue/job-messages.ts'
import type { FetchedModel } from './check-model.ts'
import type { ForecastTask, RunTask } from './slot-messages.ts'
import { defined } from '../platform/defined.ts'

/** The slot's task for the job's run. `model`: the fine-tuned model that the job names. */
export function runTask (message: JobMessage,
  { rollingRegressionAllowed, shardSeconds, valuesPath, ...run }: Omit<ForecastTask,
    'kind' | 'spec' | 'limits' | 'model' | 'configHash' | 'modelVersion'>, model: FetchedModel | undefined): RunTask {
  const { spec, limits, configHash, modelVersion } = message
  if (isTabular(spec)) return { kind: 'tabular', spec, limits, ...run }
  if (spec.training !== undefined) return { kind: 'fine_tune', spec, limits, ...run }
  return {
    kind: 'forecast',
    spec,
    limits,
    ...run,
    rollingRegressionAllowed,
    ...defined({ shardSeconds, valuesPath, configHash, modelVersion, model })
  }
}
