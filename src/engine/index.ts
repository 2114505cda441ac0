export { check, checkHeader, convertTable, createTask, forecast, inspect, preview } from './engine.ts'
export type {
  CheckOptions, CheckResult, ConvertOptions, EngineTask, ForecastOptions, ForecastSummary, InspectOptions, PreviewOptions
} from './engine.ts'
export { EngineError } from './engine-error.ts'
export type { EngineErrorKind } from './engine-error.ts'
export { FileLockError, lockFile } from './file-lock.ts'
export type { FileLock } from './file-lock.ts'
export { engineVersion } from './version.ts'
