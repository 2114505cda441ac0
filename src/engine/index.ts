export { check, checkHeader, convertTable, createTask, forecast, inspect, preview, reconcile } from './engine.ts'
export type {
  CheckOptions, CheckResult, ConvertOptions, EngineTask, ForecastOptions, ForecastSummary, InspectOptions, PreviewOptions,
  ReconciledForecasts, ReconcileOptions
} from './engine.ts'
export { EngineError } from './engine-error.ts'
export type { EngineErrorKind } from './engine-error.ts'
export { FileLockError, lockFile } from './file-lock.ts'
export type { FileLock } from './file-lock.ts'
export { engineVersion } from './version.ts'
