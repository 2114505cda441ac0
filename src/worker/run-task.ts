import { isTabular } from '../domain/job.ts'
import type { JobMessage } from '../platform/queue/job-messages.ts'
import type { ForecastTask, RunTask } from './slot-messages.ts'

/** The task of the job's run, over its input and in its folder. `modelPath`: the fine-tuned model that the job names. */
export function runTask (message: JobMessage, { rollingRegressionAllowed, valuesPath, ...run }: Omit<ForecastTask, 'kind' | 'spec' | 'limits' | 'modelPath' | 'configHash' | 'modelVersion'>, modelPath: string | undefined): RunTask {
  const { spec, limits, configHash, modelVersion } = message
  if (isTabular(spec)) return { kind: 'tabular', spec, limits, ...run }
  if (spec.training !== undefined) return { kind: 'fine_tune', spec, limits, ...run }
  return {
    kind: 'forecast',
    spec,
    limits,
    ...run,
    rollingRegressionAllowed,
    ...(valuesPath === undefined ? {} : { valuesPath }),
    ...(configHash === undefined ? {} : { configHash }),
    ...(modelVersion === undefined ? {} : { modelVersion }),
    ...(modelPath === undefined ? {} : { modelPath })
  }
}
