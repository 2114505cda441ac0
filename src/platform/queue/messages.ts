import type { ConnectorCode } from '../../sources/connectors/connector-error.ts'
import type { ErrorCode } from '../errors.ts'
import type { EventLoopDelays } from '../event-loop/event-loop-delays.ts'
import type { Sealed } from '../vault/vault.ts'
import type { DataProfile } from './data-profile.ts'
import type { ExplainabilityOutcome, JobExplanation } from './explainability-spec.ts'
import type { ExternalCovariatesReport } from './external-covariates-spec.ts'
import type { ForecastIntent } from './forecast-intent.ts'
import type { DatasetColumns, ForecastSpec, HierarchyColumns, ReconciliationMethod, ReconciliationWeights, TopDownMethod, TrainingLoss } from './forecast-spec.ts'
import type { ModelAnswer, ModelQuestion } from './model-question.ts'
import type { PreparationReport } from './preparation-spec.ts'
import type { TabularOutcome, TabularProfile, TabularSpec } from './tabular-spec.ts'

export type * from './data-profile.ts'
export type * from './explainability-spec.ts'
export type * from './forecast-intent.ts'
export type * from './forecast-spec.ts'
export type * from './external-covariates-spec.ts'
export type * from './preparation-spec.ts'
export type * from './tabular-spec.ts'

/**
 * Everything that crosses the queue, as CBOR maps with a version. Readers accept version N and N + 1, ignore fields they
 * do not know, and refuse any other version loudly.
 */
export const messageVersion = 1

export type FileFormat = 'csv' | 'parquet' | 'xls' | 'xlsx' | 'json' | 'jsonl'
/** How files that are text (CSV, JSON, JSONL) are packed. */
export type Compression = 'gzip' | 'zstd'
export type JobSize = 'small' | 'large'
export type JobType = 'forecast' | 'fine_tune' | 'classification' | 'regression'
/** What a job does, with every default resolved; `isTabular` tells which of them it is. */
export type JobSpec = ForecastSpec | TabularSpec

/** Caps that a reader enforces while it reads; counts, and characters for cells. */
export interface TableLimits {
  maxRows: number
  maxColumns: number
  maxSeries: number
  maxCellChars: number
}

/** Caps on what a forecast may give, known before it is made. */
export interface OutputLimits {
  /** Horizon times series, the aggregates of a hierarchy included. */
  maxForecastPoints: number
  /** Of the forecast table as CSV, reckoned from the lengths of the item ids. */
  maxOutputBytes: number
}

/** A file in our object store. */
export interface StoredFile { key: string, format: FileFormat, bytes: number }

/** A fine-tuned model in our object store. */
export interface ModelFile { modelId: string, key: string, bytes: number, sha256: string }

/** A source in a tenant's own store. */
export interface ConnectedSource { connection: ConnectionInput }

/** An object that the service wrote itself; one of another size under the key is not it any more. */
export interface DeliveredObject { key: string, bytes: number }

/** What a run found in a tenant's own store. */
export interface SourceRead { uri: string, bytes: number, parts: number }

/** JOBS stream, subject `jobs.small` or `jobs.large`; message id `<jobId>:<dispatch>`. */
export interface JobMessage {
  v: number
  jobId: string
  tenant: string
  /** Raised in the record at each intended redispatch. */
  dispatch: number
  jobType: JobType
  input: StoredFile | ConnectedSource
  /** Of `spec.modelId`. */
  model?: ModelFile
  /** Outputs go to `<outputPrefix><run>/<name>`. */
  outputPrefix: string
  /** A `TabularSpec` for `classification` and `regression`. */
  spec: JobSpec
  /** As the job's record has them, for its report; absent in messages of earlier builds. */
  configHash?: string
  modelVersion?: string
  limits: TableLimits & OutputLimits & { maxCsvBytes: number }
  /** Wall clock that one run may take, milliseconds. */
  budgetMs: number
  /** Of the request that created the job, for the log; absent in messages of earlier builds. */
  requestId?: string
  traceparent?: string
}

/** Request on `claim.<jobId>` before a run starts; the api answers `ClaimReply`. No answer (no api): go on. */
export interface ClaimRequest {
  v: number
  jobId: string
  tenant: string
  dispatch: number
  workerId: string
  /** The run that would start. */
  run: string
  /** Set when this worker lost a slot process on this very message: the run that died with it. */
  died?: { run: string, cause: SlotDeathCause }
  /** Set when nothing starts: this worker is alive and gives `run` back unfinished. An api of before takes it for a repeated claim. */
  givenBack?: GivenBackReason
}
/** `stopping`: the worker was asked to end. `trouble`: it cannot run anything now, as with a full disk. */
export type GivenBackReason = 'stopping' | 'trouble'
/** Also in EVENTS in place of the end of `run`, where no api answered. */
export type GivenBack = ClaimRequest & { givenBack: GivenBackReason }
export type SlotDeathCause = 'crash' | 'memory' | 'unresponsive'

export type ClaimReply =
  /** `alone`: earlier workers were lost with this job, so it gets a process of its own. Absent: it shares the worker. */
  | { v: number, go: true, attempt: number, alone?: boolean }
  | { v: number, go: false, reason: 'terminal' | 'deleted' | 'superseded' | 'attempts' }

/** Stage of a run that was given back unfinished, so that the next claim is not taken for a duplicate. */
export const abandonedStage = 'abandoned'

/** Lossy core message `news.<jobId>`: a run started, or moved on. Never durable, never needed. */
export interface NewsMessage {
  v: number
  jobId: string
  tenant: string
  run: string
  workerId: string
  stage: string
  /** Share of the run that is done, 0 to 1. */
  fraction: number
}

/** EVENTS stream, subject `events.<jobId>`, message id `<jobId>:<run>`: a run ended for good. */
export interface EventMessage {
  v: number
  jobId: string
  tenant: string
  run: string
  /** null: completed. */
  code: ErrorCode | null
  /** Of `<outputPrefix><run>/result.cbor`; null when the store did not take it (then `error` says why). */
  resultSha256: string | null
  error: string | null
}

/** The last object a run writes: `<outputPrefix><run>/result.cbor`. */
export interface JobResult {
  v: number
  jobId: string
  run: string
  code: ErrorCode | null
  error: string | null
  files: ResultFile[]
  /** Series of the dataset, without the aggregates of a hierarchy; null for a table. */
  numItems: number | null
  datasetHash: string | null
  /** Seconds by stage; a stage that did not run has no key. */
  timings: Record<string, number>
  warnings: JobWarning[]
  /** Only of a job that was asked to prepare its rows. */
  preparation?: PreparationReport
  /** Only of a forecast that was asked to use covariates from outside. */
  externalCovariates?: ExternalCovariatesReport
  /** Only of a job that was asked to reconcile. */
  reconciliation?: ReconciliationSummary
  /** Only of a job that trains a model, which is the file `model.bin`. */
  trained?: TrainedModel
  /** Only of a classification or regression. */
  tabular?: TabularOutcome
  /** Only of a job that was asked to explain its forecast. */
  explainability?: ExplainabilityOutcome
  /** Only of a forecast that could be put into words. */
  explanation?: JobExplanation
  /** Only of a job that reads a tenant's own store, when it could be read. */
  source?: SourceRead
  /** What is wrong with that store, or with what lies there. */
  connectorCode?: ConnectorCode
}
export interface ResultFile {
  /** What follows the run in its key, e.g. `forecast.csv` or `explainability/summary.json`. */
  name: string
  contentType: string
  bytes: number
  sha256: string
}
export interface JobWarning { code: string, message: string, count: number }

/** What is known of a model that was trained, besides its file. */
export interface TrainedModel {
  /** Canonical alias. */
  freq: string
  /** The covariates that it uses, of those that were asked for. */
  covariates: string[]
  /** Names of the features that it makes. */
  features: string[]
  /** On the windows that were held back: of the model, and of its preset on the same series. */
  metrics: { candidate: ModelMetrics, baseline: ModelMetrics }
}
/** null: not defined, as the percentage error of zeros. */
export type ModelMetrics = Record<TrainingLoss, number | null>

/** What a reconciliation did. */
export interface ReconciliationSummary {
  /** As it was done in the end: `fallback` says where that is not what was asked for. */
  method: ReconciliationMethod
  /** Only of `min_trace`. */
  weights?: ReconciliationWeights
  /** Only of `top_down`. */
  topDownMethod?: TopDownMethod
  /** From the grand total to the bottom. */
  levels: Array<{ name: string, numNodes: number }>
  /** Nodes of the hierarchy, all of which are in the forecast table. */
  numSeries: number
  numBottom: number
  totalLabel: string
  separator: string
  /** 0: no residuals were used. */
  residualWindowsUsed: number
  /** Intensity of the shrinkage, 0 to 1; only of `shrink`. */
  shrinkage?: number
  /** Largest distance between a parent and the sum of its children, in the base forecasts and in the table. */
  maxIncoherenceBefore: number
  maxIncoherenceAfter: number
  fallback?: { from: string, to: string, reason: string }
  warnings: string[]
}

/** Core broadcast `cancel.<jobId>`: stop every run of this job; `deleted`: and whatever else is made of it. */
export interface CancelMessage { v: number, jobId: string, deleted?: boolean }

/** Core request `quick.check` (queue group `quick`): read the stored input and say what is wrong with it. */
export interface QuickCheckRequest {
  v: number
  /** Whose turn it takes, here and in the next ones; absent of an api of before. */
  tenant?: string
  input: StoredFile
  /** Of `spec.modelId`. */
  model?: ModelFile
  spec: JobSpec
  limits: TableLimits & OutputLimits
  /** `header`: only that the file is what it says and has the columns; rows are read by the job itself. */
  depth: 'full' | 'header'
}
/** What a worker used to answer; absent where nothing was computed, and of a worker of before. */
interface Used {
  /** Milliseconds of a core, all threads together. */
  cpuMs?: number
}

export type QuickCheckReply = Used & (
  | { v: number, ok: true, profile: DatasetProfile | TabularProfile | null, warnings: JobWarning[] }
  | { v: number, ok: false, error: ContentError }
  | { v: number, ok: false, busy: true }
  /**
   * The worker could not do the check at all (store away, slot died twice, slot held up, the model's file gone or damaged);
   * `message` where it knows more than the code says.
   */
  | { v: number, ok: false, failed: 'storage_error' | 'pipeline_failed' | 'compute_unavailable', message?: string, suggestion?: string }
)

export interface DatasetProfile {
  rows: number
  series: number
  minLength: number
  maxLength: number
  /** Canonical alias. */
  freq: string
}

/** Core request `quick.preview` (queue group `quick`): read the beginning of a stored CSV file. */
export interface QuickPreviewRequest {
  v: number
  tenant?: string
  input: { key: string, bytes: number }
  maxBytes: number
  maxRows: number
}
export type QuickPreviewReply = Used & (
  | { v: number, ok: true, preview: TablePreview }
  | { v: number, ok: false, error: ContentError }
  | { v: number, ok: false, busy: true }
  | { v: number, ok: false, failed: 'storage_error' | 'pipeline_failed' | 'compute_unavailable' }
)

/** Core request `quick.profile` (queue group `quick`): read a stored file that nobody has said anything about, and say what is in it. */
export interface QuickProfileRequest {
  v: number
  tenant?: string
  input: StoredFile & { compression?: Compression }
  /** Columns whose roles are known; the others are found. */
  columns?: KnownColumns
  /** Absent: nothing is read but the file. */
  prompt?: string
  /** A language model may be asked: the reply says what. */
  asksModel?: boolean
  /** What it said; the intent is filled with it. */
  answer?: ModelAnswer
  limits: TableLimits
}
export interface KnownColumns { itemId?: string, timestamp?: string, target?: string }
/** What is in a file, and what a prompt wants of it. */
export interface PromptReading {
  profile: DataProfile
  intent: ForecastIntent | null
  /** null, and absent of a worker of before: a language model has nothing to add. */
  question?: ModelQuestion | null
  /** At least one field of the intent is from the answer. */
  isByModel?: boolean
}
export type QuickProfileReply = Used & (
  | { v: number, ok: true } & PromptReading
  | { v: number, ok: false, error: ContentError }
  | { v: number, ok: false, busy: true }
  | { v: number, ok: false, failed: 'storage_error' | 'pipeline_failed' | 'compute_unavailable' }
)

/** The beginning of a table, as text: what a reader of it would find. */
export interface TablePreview {
  columns: string[]
  /** As many cells a row as there are columns; null for an empty one. Numbers and booleans are what their text says. */
  rows: Array<Array<string | number | boolean | null>>
  /** The file goes on behind these rows. */
  truncated: boolean
  delimiter: string
  /** `utf-8`, `utf-8-sig`, `utf-16le`, `utf-16be` or `windows-1252`. */
  encoding: string
  /** null: no cell is quoted. */
  quote: string | null
  /** null: no column looks like it. */
  detected: { timestamp: string | null, target: string | null, itemId: string | null, frequency: string | null }
}

/** All that an inspection found in a dataset, instead of the first thing that is wrong with it. */
export interface DatasetInspection {
  /** Data rows read; null here and in the next five fields: a column that is needed is missing. */
  rowCount: number | null
  numItems: number | null
  minLength: number | null
  maxLength: number | null
  /** RFC 3339, UTC. */
  start: string | null
  end: string | null
  /** All columns of the file. The type is what the first 100,000 cells have in common, and nulls are counted among them. */
  columns: Array<{ name: string, type: ColumnType, nulls: number }>
  /** Canonical alias; a frequency that was given, as the data has it. */
  inferredFrequency: string | null
  /** In the order of `CheckName`; a check that could not be made is not among them. */
  checks: DatasetCheck[]
  warnings: JobWarning[]
  /** Rows behind `rowCount` were not looked at. */
  truncated: boolean
  /** SHA-256 of the sorted names and types of the columns, in hexadecimal. */
  schemaFingerprint: string
}
export type ColumnType = 'timestamp' | 'number' | 'boolean' | 'text' | 'empty' | 'other'
export type CheckName = 'required_columns' | 'nulls' | 'numeric_target' | 'duplicates' | 'timestamps' | 'min_history' | 'frequency' | 'volume'
export interface DatasetCheck {
  check: CheckName
  status: 'passed' | 'warning' | 'failed'
  /** Rows, items, gaps or columns concerned. */
  count: number
  /** The first five data rows concerned, from 1, where rows are known. */
  sampleRows: number[]
  message: string
}

/** Formats of a forecast table: `json` is an array of objects, `jsonl` an object a line. */
export type TableFormat = 'csv' | 'json' | 'jsonl'

/** Core request `quick.convert` (queue group `quick`): make the CSV of a forecast table that was stored as Parquet only. */
export interface QuickConvertRequest {
  v: number
  parquetKey: string
  /** Where the CSV goes. Repeating a request writes the same bytes again. */
  csvKey: string
  /** Time that this may take, waiting included, milliseconds. */
  budgetMs: number
}
export type QuickConvertReply =
  | { v: number, ok: true, file: ResultFile }
  | { v: number, ok: false, busy: true }
  | { v: number, ok: false, failed: 'storage_error' | 'pipeline_failed' }

export type SourceFormat = 'csv' | 'json' | 'jsonl' | 'parquet'
export type AuthMethod = 'access_key' | 'assume_role' | 'iam_role' | 'instance_profile' | 'workload_identity'

/** Where a connection leads, without its secrets. */
export interface ObjectStorage {
  /** Free text of the customer; behaviour comes from what the store was seen to do. */
  provider: string | null
  bucket: string
  /** With a slash at its end, or empty: all objects under it. Else one object's key. */
  prefix: string
  keyPattern: string | null
  /** null: AWS. */
  endpointUrl: string | null
  region: string
  authMethod: AuthMethod
  fileFormat: SourceFormat
  compression: Compression | null
  roleArn: string | null
  externalId: string | null
}

/** What a store was seen to do; null: not known. */
export interface StoreCapabilities {
  /** `If-None-Match: *` keeps an object from being replaced. */
  conditionalPut: boolean | null
  versioning: boolean | null
}

/** A connection as it travels to a worker: the secrets stay sealed until they are used. */
export interface ConnectionInput {
  tenant: string
  connectionId: string
  objectStorage: ObjectStorage
  /** Field -> envelope, bound to tenant, connection and field. */
  credentials: Record<string, Sealed>
  capabilities: StoreCapabilities
  /** Results among the objects of the source; they are no part of it. */
  delivered: DeliveredObject[]
}

/** Core request `quick.connector` (queue group `quick`): do something with a customer's store while a client waits. */
export type QuickConnectorRequest = { v: number, connection: ConnectionInput, /** Time that it may take, milliseconds. */ budgetMs: number } & (
  | { operation: 'test' }
  | { operation: 'list', limit: number, /** Keys behind this one; empty: from the start. */ startAfter: string }
  | { operation: 'validate', dataset: ConnectionDataset, limits: TableLimits }
)
export type QuickConnectorReply = Used & (
  | { v: number, ok: true, result: ConnectorResults[keyof ConnectorResults] }
  | { v: number, ok: false, error: ConnectorCode }
  | { v: number, ok: false, busy: true }
)

export interface ConnectorResults {
  test: ConnectionTest
  list: StoredObjectPage
  validate: SourceValidation
}

/** Which columns a source should have, and what is known of them. */
export interface ConnectionDataset {
  columns: Required<DatasetColumns>
  /** Absent: the item id column says which series a row belongs to. */
  hierarchy?: HierarchyColumns
  /** Canonical alias, or null to infer it. */
  freq: string | null
}

export type TestCheckName = 'policy' | 'dns' | 'tls' | 'authenticate' | 'list' | 'read' | 'write'
export interface ConnectionTest {
  latencyMs: number
  checks: Array<{ name: TestCheckName, status: 'passed' | 'failed' | 'skipped', errorCode: ConnectorCode | null }>
  capabilities: StoreCapabilities
}

export interface StoredObject { key: string, bytes: number, modified: string, etag: string }
export interface StoredObjectPage {
  objects: StoredObject[]
  /** Where the next page starts; null on the last one. */
  next: string | null
}

/** A check of the inspection, or the comparison with the validation before. */
export type SourceCheck = Omit<DatasetCheck, 'check'> & { check: CheckName | 'schema_drift' }
export type SourceColumn = DatasetInspection['columns'][number]

export interface SourceValidation extends DatasetInspection {
  bytesRead: number
}

/** Formats in which a table may be written back. */
export type OutputFormat = 'csv' | 'json' | 'jsonl' | 'parquet'

/** Core request `quick.deliver` (queue group `quick`): write a forecast table to a customer's store. Repeating it writes nothing twice. */
export interface QuickDeliverRequest {
  v: number
  jobId: string
  connection: ConnectionInput
  /** The file itself when it has the format, else the Parquet table that it is made from. */
  source: { key: string, fileFormat: OutputFormat }
  fileFormat: OutputFormat
  /** From the bucket's root. */
  key: string
  allowOverwrite: boolean
  /** Time that this may take, waiting included, milliseconds. */
  budgetMs: number
}
export type QuickDeliverReply =
  | { v: number, ok: true, uri: string, bytes: number }
  | { v: number, ok: false, busy: true }
  | { v: number, ok: false, error: ConnectorCode }
  /** Nothing was sent: our own store or a process of ours failed. */
  | { v: number, ok: false, failed: 'storage_error' | 'pipeline_failed' }

/** What the engine found wrong with a dataset; `src/engine` maps it to HTTP or to the job's error. */
export interface ContentError {
  /** snake_case, e.g. `missing_column`. */
  code: string
  /** 400 empty, 413 too large, 415 not this kind of file, 422 wrong content. */
  status: 400 | 413 | 415 | 422
  message: string
  column: string | null
  /** 1-based data row (the header is not counted). */
  row: number | null
  item: string | null
  count: number | null
  suggestion: string | null
}

/** Core broadcast `workers.<workerId>` every 2 s. */
export interface WorkerMessage {
  v: number
  workerId: string
  version: string
  slots: number
  /** Slots that take any size and are idle. */
  freeAny: number
  /** Slots that take only small jobs and are idle. */
  freeSmall: number
  /** Content checks that it makes at a time. */
  quick: number
  capabilities: string[]
  /** Runs under way, so that the api can tell a live run from a lost one. */
  running: Array<{ jobId: string, run: string }>
  /** True while shutting down: takes nothing new. */
  draining: boolean
  /** Absent in messages of earlier builds. */
  vitals?: WorkerVitals
}

/** What a worker uses and has done since it started, for whoever watches the service. */
export interface WorkerVitals {
  /** Resident memory of the worker process. */
  residentBytes: number
  /** Of its slot processes together, those of content checks included. */
  slotsResidentBytes: number
  /** Requests to providers of covariates over the network. */
  providerRequests: Array<{ provider: string, outcome: 'answered' | 'failed', count: number }>
  /** Of the worker's main thread; absent in messages of earlier builds. */
  eventLoop?: EventLoopDelays
}
