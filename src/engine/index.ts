export { check, checkHeader, convertTable, fineTune, forecast, inspect, preview, profileData, reconcile } from './engine.ts'
export { checkTabular, tabular } from './tabular.ts'
export { createTask } from './engine-task.ts'
export type { EngineTask } from './engine-task.ts'
export type {
  CheckOptions, CheckResult, ConvertOptions, ErrorMeasures, FineTuneOptions, FineTuneSummary, ForecastOptions, ForecastSummary, InspectOptions, PreviewOptions,
  ProfileDataOptions, ReconciledForecasts, ReconcileOptions
} from './engine.ts'
export type { CheckTabularOptions, CheckTabularResult, TabularOptions, TabularSummary } from './tabular.ts'
export { EngineError } from './engine-error.ts'
export type { EngineErrorKind } from './engine-error.ts'
export { FileLockError, lockFile } from './file-lock.ts'
export type { FileLock } from './file-lock.ts'
export { engineVersion } from './version.ts'
