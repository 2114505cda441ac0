import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Type, type Static, type TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import Value from 'typebox/value'

/*
 * All settings. One schema gives the environment variable (TABCAST_ + the key), the default, the unit and the limits. A
 * wrong value stops the start with the name, the value and the rule. docs/reference/settings.md is generated from here.
 */
const MiB = 1024 * 1024
const GiB = 1024 * MiB

const text = (value: string, description: string) => Type.String({ default: value, description })
/** `form`: the pattern in words, to follow `must be`. */
const shaped = (value: string, pattern: string, form: string, description: string) =>
  Type.String({ default: value, pattern, form, description })
/** Includes the scheme; empty: not set. */
const address = (description: string) => shaped('', '^(https?://[^\\s]+)?$', 'an http or https address', description)
/** A setting whose value is never shown. */
const secret = (description: string) => Type.String({ default: '', description, secret: true })
const flag = (value: boolean, description: string) => Type.Boolean({ default: value, description })
const count = (value: number, minimum: number, maximum: number, description: string) =>
  Type.Integer({ default: value, minimum, maximum, description })

const natsServer = '((nats|tls)://)?([A-Za-z0-9._-]+|\\[[0-9a-fA-F:.]+\\])(:[0-9]{1,5})?'

const schema = Type.Object({
  PORT: count(8080, 0, 65535, 'Port of the HTTP interface; 0 picks a free one.'),
  HOST: text('127.0.0.1', 'Address the HTTP interface listens on.'),
  PUBLIC_URL: address('Base address that clients use, for signed URLs; empty: taken from the request.'),
  TRUST_PROXY: flag(false, 'Believe X-Forwarded-* of a proxy in front.'),
  MAX_CONNECTIONS: count(0, 0, 1e6,
    'Connections that the HTTP interface holds at a time; 0: three quarters of the files that its process may open, ' +
      'at most 16,384.'),
  MAX_CONNECTIONS_PER_ADDRESS: count(0, 0, 1e6,
    'Connections of one address; 0: three quarters of all. With TRUST_PROXY there is no such bound.'),
  DATA_DIR: text('./data', 'Folder of the record, the objects and the embedded queue.'),
  DATA_DIR_MAX_BYTES: count(0, 0, 2 ** 50,
    'Bytes that the data folder may have before uploads and jobs are refused; 0: as many as its disk gives. Sources ' +
      'of connections have a quarter of it more while jobs read them.'),
  DATA_DIR_MIN_FREE_BYTES: count(256 * MiB, 0, 2 ** 50,
    "Free bytes of the data folder's disk below which uploads and jobs are refused, so that the others can be " +
      'finished, read and deleted; 0: none.'),
  ENVIRONMENT: shaped('live', '^[a-z0-9]{1,16}$', '1 to 16 small letters and digits',
    'Environment part of issued keys (tbc_<env>_...).'),
  LOG_LEVEL: Type.Union(
    ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'].map((level) => Type.Literal(level)),
    { default: 'info', description: 'Least severe log line that is written.' }
  ),
  METRICS_PORT: count(0, 0, 65535, 'Port of the metrics for Prometheus, at /metrics; 0: none.'),
  METRICS_HOST: text('127.0.0.1', 'Address that the metrics are served on; nobody is asked for a key there.'),
  STATIC_KEYS_FILE: text('', 'JSON map of key to tenant slug (or {tenant, scopes}); re-read when it changes.'),
  QUOTAS_FILE: text('',
    'JSON file {default, tenants: {NAME}} of {jobs_per_day, rows_per_day, stored_bytes} that a tenant may take; ' +
      're-read when it changes. Empty: no quotas.'),

  S3_ENDPOINT: address(
    'Address of an S3-compatible store for all objects, such as https://s3.example.com; empty: a folder in the data ' +
      'folder.'
  ),
  S3_PUBLIC_ENDPOINT: address('Address of that store as clients reach it, for signed URLs; empty: S3_ENDPOINT.'),
  S3_REGION: text('us-east-1', 'Region of that store.'),
  S3_BUCKET: text('', 'Bucket of that store; it has to exist.'),
  S3_ACCESS_KEY_ID: text('', 'Access key of that store.'),
  S3_SECRET_ACCESS_KEY: secret('Secret of that access key.'),
  S3_TIMEOUT_MS: count(30_000, 100, 600_000,
    'Silence of that store after which a request to it is given up, milliseconds.'),

  KEYRING_FILE: text('',
    'JSON file {active, keys: {id: base64 of 32 bytes}} that wraps stored secrets; empty: keyring.json in the data ' +
      'folder, made when absent.'),

  NATS_URL: shaped('', `^(${natsServer}(,${natsServer})*)?$`,
    'host:port, nats://host:port or tls://host:port, or a comma list of them',
    'External NATS server, or a comma list of the servers of a cluster; tls:// refuses one without TLS. Empty: an ' +
      'embedded one is started.'),
  NATS_TOKEN: secret('Token for the NATS server.'),
  NATS_SERVER: text('', 'nats-server binary for the embedded queue; empty: .tools, then PATH.'),
  WORKERS: count(1, 0, 64, 'Worker processes that `serve` starts.'),
  SLOTS: count(Math.max(2, availableParallelism()), 1, 256,
    'Slot processes of one worker; with two or more, one takes only small jobs.'),
  SLOT_THREADS: count(availableParallelism(), 1, 256, 'Threads of one slot; those of content checks share them.'),
  SLOT_MEMORY_BYTES: count(0, 0, 2 ** 44,
    'Memory above which a slot process is killed; 0: half of the memory of the machine, or of the limit that the ' +
      'container has, at most two thirds of SLOTS_MEMORY_BYTES and at least 1 GiB.'),
  SLOTS_MEMORY_BYTES: count(0, 0, 2 ** 44,
    'Memory that all slot processes of one worker may have together; beyond it one that has more than its share is ' +
      'killed, never the oldest, and its job waits. 0: three quarters of that memory, divided by WORKERS, and at ' +
      'least SLOT_MEMORY_BYTES.'),
  SLOT_MAX_JOBS: count(200, 1, 1e6, 'Jobs after which a slot process is replaced.'),
  SLOT_MAX_AGE_MS: count(600_000, 1000, 864e5, 'Age at which an idle slot process is replaced, milliseconds.'),
  CHECK_SLOTS: count(2, 1, 64,
    'Content checks of uploads that one worker makes at a time; one tenant never has them all when there are two or ' +
      'more.'),
  QUICK_QUEUE: count(64, 1, 10_000, 'Content checks that one worker holds before it answers busy.'),
  SHARED_DATA_DIR: flag(false, 'The data folder is on a disk that all worker hosts share.'),

  LEASE_MS: count(15_000, 500, 600_000,
    'Time without a sign of life after which a job goes to another worker, milliseconds.'),
  RECONCILE_MS: count(5_000, 100, 600_000, 'Interval of the comparison of record and queue, milliseconds.'),
  SWEEP_MS: count(30_000, 100, 3_600_000, 'Interval of the expiry sweep, milliseconds.'),
  HEARTBEAT_MS: count(2_000, 50, 60_000, "Interval of a worker's announcement, milliseconds."),
  CLAIM_TIMEOUT_MS: count(2_000, 50, 60_000, 'Time a worker waits for the answer to a claim, milliseconds.'),
  CHECK_WAIT_MS: count(30_000, 100, 600_000, 'Time an upload waits for the turn of its content check, milliseconds.'),
  QUICK_TIMEOUT_MS: count(10_000, 100, 600_000,
    'Time that a content check may compute; a file that takes longer is refused, milliseconds.'),
  DRAIN_MS: count(30_000, 100, 600_000,
    'Time a process may take to finish what is in flight when it is asked to stop, milliseconds.'),
  JOB_BUDGET_SECONDS: count(3_600, 1, 864_000, 'Wall clock that one run of a job may take.'),
  SMALL_JOB_MS: count(30_000, 100, 3_600_000,
    'Time after which the run of a small job is stopped, and the job waits among the large ones, milliseconds.'),
  JOB_RETENTION_SECONDS: count(3_600, 1, 31_536_000, 'Time after its end that a job and its files are kept.'),
  MAX_SLOT_DEATHS: count(3, 1, 100, 'Slot deaths after which a job fails.'),
  MAX_LOST_WORKERS: count(10, 1, 1000, 'Lost workers after which a job fails.'),

  MAX_QUEUED: count(10_000, 1, 10_000_000,
    'Jobs that may wait in all. When they do, a tenant with less than a hundredth of them still has room.'),
  MAX_QUEUED_PER_TENANT: count(5_000, 1, 10_000_000, 'Jobs of one tenant that may wait.'),
  CHECKS_WAITING_PER_TENANT: count(1_000, 1, 10_000_000,
    'Uploads of one tenant that may wait for their content check.'),
  SYNC_CHECK_MAX_BYTES: count(32 * MiB, 0, GiB, 'Inputs up to this size are checked in full before the 202.'),
  SIGNED_URL_SECONDS: count(300, 1, 604_800, 'Lifetime of a signed download URL, seconds.'),
  SIGNED_UPLOAD_SECONDS: count(900, 1, 604_800, 'Lifetime of a signed upload URL, seconds.'),
  IDEMPOTENCY_SECONDS: count(86_400, 1, 2_592_000, 'Time for which the answer to an Idempotency-Key is kept.'),
  IDEMPOTENCY_MAX_BYTES: count(GiB, 1024, 2 ** 50,
    'Bytes of the answers that are kept for Idempotency-Keys of one tenant; beyond it requests with a new key are ' +
      'refused until the oldest are forgotten.'),
  IDEMPOTENCY_WAIT_MS: count(30_000, 0, 600_000,
    'Time that a request waits for an equal one under way with the same Idempotency-Key, milliseconds.'),

  MAX_UPLOAD_BYTES: count(GiB, 1, 2 ** 44, 'Largest multipart upload.'),
  MAX_OBJECT_BYTES: count(5 * GiB, 1, 2 ** 44, 'Largest upload to a signed URL.'),
  MAX_OBJECTS_PER_TENANT: count(500_000, 1, 1e9,
    'Stored objects of one tenant; one that was deleted counts for a day more.'),
  UPLOAD_CONTENT_TYPES: text('', 'Content types that a signed upload may have, as a comma list; empty: any.'),
  PREVIEW_MAX_BYTES: count(262_144, 1024, 64 * MiB, 'Bytes of a stored file that a preview reads.'),
  PREVIEW_MAX_ROWS: count(100, 1, 10_000, 'Rows that a preview returns.'),
  MAX_JSON_BYTES: count(MiB, 1024, 64 * MiB, 'Largest JSON body.'),
  MAX_FORM_FIELD_BYTES: count(64 * 1024, 256, 16 * MiB, 'Largest text field of a form.'),
  MAX_ROWS: count(200_000_000, 1, 1e12, 'Rows of a dataset.'),
  MAX_COLUMNS: count(500, 3, 100_000, 'Columns of a dataset.'),
  MAX_SERIES: count(2_000_000, 1, 1e9, 'Series of a dataset, and nodes of its hierarchy.'),
  MAX_CELL_CHARS: count(32_768, 1, 16 * MiB, 'Characters of a cell.'),
  MAX_HORIZON: count(1_000, 1, 1_000_000, 'Steps of a forecast.'),
  MAX_FORECAST_POINTS: count(50_000_000, 1, 1e12, 'Horizon times series, the aggregates of a hierarchy included.'),
  MAX_OUTPUT_BYTES: count(16 * 2 ** 30, 1000, 2 ** 50,
    'Bytes of a forecast table as CSV, reckoned from the lengths of the item ids before the job is taken.'),
  MAX_CSV_BYTES: count(256_000_000, 0, 2 ** 44, 'Above this size the CSV is made at the first download.'),
  DOWNLOADS_PER_TENANT: count(16, 1, 10_000,
    'Downloads of one tenant that are sent side by side; as many more wait for some seconds. All tenants together ' +
      'have eight times as many, and each at least one.'),
  UNREAD_BYTES_PER_TENANT: count(64 * MiB, 1, GiB,
    'Bytes of answers that are kept in memory for one tenant until its clients have read them, files not included; a ' +
      'further answer gets 429. All tenants together have eight times as many, and each at least one answer.'),
  UPLOAD_MIN_BYTES_PER_SECOND: count(1024, 0, GiB,
    'Slowest upload after the first 10 seconds; 0 switches the check off.'),

  FINE_TUNE_ENABLED: flag(true, 'Take jobs that train a model; switched off, those that there are can still be used.'),
  FINE_TUNE_MODEL_TTL: count(2_592_000, 0, 315_360_000,
    'Time for which a fine-tuned model is kept, seconds; 0: until it is deleted.'),
  FINE_TUNE_MAX_MODELS: count(20, 1, 10_000, 'Fine-tuned models of one tenant, those in training included.'),

  TABULAR_ENABLED: flag(true, 'Take classifications and regressions.'),

  ANALYSIS_ROLLING_REGRESSION: flag(false,
    'Make the rolling regressions that `explainability` asks for; switched off, they are skipped as ' +
      '`disabled_by_operator`.'),

  EXPLANATION_URL: address(
    'OpenAI-compatible endpoint, such as http://llm.internal:8000/v1, that may put explanations into other words; it ' +
      "is sent their sentences, with names of series. Empty: the rules' words."
  ),
  EXPLANATION_MODEL: text('', 'Model that is named to that endpoint.'),
  EXPLANATION_API_KEY: secret('Key for that endpoint; empty: none is sent.'),

  LLM_BASE_URL: text('',
    'OpenAI-compatible endpoint, such as http://llm.internal:8000/v1, that may fill what the rules find no words for ' +
      'in a prompt; it is sent the prompt, the names of columns and figures of them, never rows. Empty: rules alone.'),
  LLM_MODEL: text('', 'Model that is named to that endpoint.'),
  LLM_API_KEY: secret('Key for that endpoint; empty: none is sent.'),
  LLM_TIMEOUT_MS: count(20_000, 100, 600_000,
    "Time for all that one prompt asks of that endpoint, milliseconds; then the rules' intent is given."),

  SANDBOX_ENABLED: flag(false,
    'Let visitors try the service: one small job for each company, with a key of the scope sandbox that a web page ' +
      'may show.'),
  SANDBOX_CLAIM_DAYS: count(0, 0, 36_500, 'Days after which a company may have another job in the sandbox; 0: never.'),
  SANDBOX_RETENTION_SECONDS: count(3_600, 1, 31_536_000,
    'Time after its end that a job of the sandbox and its files are kept.'),
  SANDBOX_POSTS_PER_HOUR: count(5, 1, 1e9,
    'Jobs that one address may ask the sandbox for per hour, those that are refused included; TABCAST_RATE_LIMITS ' +
      'does not switch it off.'),
  SANDBOX_POSTS_PER_MINUTE: count(30, 1, 1e9,
    'Jobs that all visitors of the sandbox together may ask for per minute, a sixth of them at once, but ten at ' +
      'least; further ones get 429, so that tenants do not feel them.'),
  SANDBOX_READS_PER_MINUTE: count(300, 1, 1e9,
    'Reads of one address with a key of the sandbox per minute; TABCAST_RATE_LIMITS does not switch it off.'),
  SANDBOX_DOWNLOAD_BYTES_PER_SECOND: count(262_144, 1, GiB,
    'A visitor who reads a file more slowly, the first 5 seconds aside, loses it when all downloads of the sandbox ' +
      'are taken and one who has none waits.'),
  SANDBOX_MAX_WAITING: count(100, 1, 10_000, 'Jobs of the sandbox that may wait, and requests for them under way.'),
  SANDBOX_MAX_STORED_BYTES: count(GiB, 16 * MiB, 2 ** 50,
    'Bytes that jobs of the sandbox may keep, results included, before further ones are refused.'),
  SANDBOX_CAPTCHA: Type.Union(['altcha', 'turnstile', 'hcaptcha', 'none'].map((driver) => Type.Literal(driver)), {
    default: 'altcha',
    description:
      'What keeps programs from the sandbox: altcha (a proof of work, made and checked here), turnstile or hcaptcha ' +
      '(their services are asked), or none.'
  }),
  SANDBOX_CAPTCHA_SITE_KEY: text('', 'Site key of turnstile or hcaptcha, which pages show.'),
  SANDBOX_CAPTCHA_SECRET: secret('Secret of that site key.'),
  SANDBOX_CAPTCHA_HOSTNAMES: text('',
    'Hosts of the pages where that captcha may be solved, as a comma list; empty: any.'),
  SANDBOX_CAPTCHA_URL: address(
    "Address that turnstile's or hcaptcha's tokens are sent to, such as that of a relay; empty: their own."
  ),
  SANDBOX_CAPTCHA_TIMEOUT_MS: count(5_000, 100, 60_000,
    'Time that turnstile or hcaptcha may take for one token, milliseconds.'),
  SANDBOX_KEY: secret(
    'Key of the scope sandbox that the page at /try shows to everybody; empty: there is no such page.'
  ),
  SANDBOX_ORIGINS: text('',
    'Origins whose pages may frame /try and use the sandbox from a script, as a comma list such as ' +
      'https://www.example.com; empty: none.'),
  SANDBOX_DOMAINS_FILE: text('',
    'JSON file {allow, block} of domains whose addresses the sandbox takes, or refuses, whatever its own lists of ' +
      'free and disposable addresses say; re-read when it changes.'),

  COVARIATES_FILE: text('',
    'JSON file that names the providers of covariates from outside; empty: none over the network.'),
  COVARIATES_DIR: text('',
    'Folder of a mounted catalogue of covariates; it may change while the service runs. Empty: none.'),
  COVARIATES_CACHE: text('',
    'Folder in which answers of providers of covariates outlive a worker, at most 1 GiB; empty: in memory alone.'),
  COVARIATES_DAILY_YEARS: count(200, 1, 5_000,
    'Years of steps of a day or longer, the horizon included, for which covariates from outside are found.'),
  COVARIATES_HOURLY_YEARS: count(20, 1, 5_000, 'The same if steps are shorter than a day.'),
  EGRESS: Type.Union([Type.Literal('allowed'), Type.Literal('none')], {
    default: 'allowed',
    description:
      'none: no provider of covariates over the network is ever asked; the built-in ones and the catalogue are.'
  }),

  CPU_SECOND_PRICE: shaped('', '^([0-9]{1,9}([.][0-9]{1,9})?)?$', 'a decimal number without sign or exponent',
    'Price of a second of one core, for /estimate/cost, such as 0.00002; empty: estimates have no amount.'),
  CURRENCY: shaped('', '^([A-Z]{3})?$', 'three capital letters', 'Currency of that price, such as EUR.'),
  RATE_CARD_VERSION: shaped('default', '^[A-Za-z0-9._-]{1,40}$',
    '1 to 40 letters, digits, dots, underscores and hyphens',
    'What estimates of cost name as the version of the prices.'),

  CONNECTOR_ALLOW_CIDRS: text('',
    "Private networks in which customers' stores may lie, as a comma list such as 10.1.0.0/16; empty: public " +
      'addresses only.'),
  CONNECTOR_AMBIENT_AUTH: flag(false,
    "Allow connections that use the service's own identity: assume_role, iam_role, instance_profile, " +
      'workload_identity.'),
  CONNECTOR_STS_ENDPOINT: text('',
    "Address of the token service for assume_role; empty: that of the connection's endpoint, else AWS."),
  CONNECTOR_MAX_BYTES: count(16 * GiB, 1, 2 ** 44, 'Bytes that a connection may read for one job.'),
  CONNECTOR_MAX_ROWS: count(200_000_000, 1, 1e12, 'Rows that a connection may read for one job.'),
  CONNECTOR_TIMEOUT_MS: count(30_000, 100, 600_000,
    "Silence of a customer's store after which a request is given up, and time for the headers of its answer, " +
      'milliseconds.'),
  AUDIT_RETENTION_DAYS: count(90, 1, 36_500,
    'Days for which the audit log of a tenant and the audit trails of its connections are kept.'),
  AUDIT_MAX_RECORDS: count(1_000_000, 100, 1e9,
    'Records of the audit log of one tenant, about half a kilobyte each; the oldest go before their days are over.'),

  CALLBACK_ALLOW_CIDRS: text('',
    'Private networks that callbacks may reach, as a comma list; empty: public addresses only.'),
  CALLBACK_ALLOW_HOSTS: text('',
    'Hosts that callbacks may reach whatever their address, port and scheme, as a comma list of host or host:port.'),
  NAME_SERVERS: text('',
    'Name servers that are asked for the hosts that customers gave, as a comma list of address or address:port; ' +
      'empty: those of the system.'),
  CALLBACK_TIMEOUT_MS: count(15_000, 100, 600_000, 'Time that a callback may take, milliseconds.'),
  CALLBACK_RETRY_SECONDS: text('0,5,30,120,600,1200',
    'Pauses before each attempt of a callback, seconds, as a comma list; their number is that of the attempts.'),
  CALLBACKS_PER_TENANT: count(100_000, 1, 10_000_000,
    'Callbacks, and messages to endpoints, of one tenant that may wait at a time, to hosts that fail half as many; ' +
      'what is announced beyond them is not sent.'),
  DELIVERY_RETRY_SECONDS: text('0,5,30,120,600',
    "Pauses before each attempt to write a result to a customer's store, seconds, as a comma list."),

  LONG_POLLS_PER_TENANT: count(2_000, 1, 100_000,
    'Requests of one tenant that may wait for a change of a job (GET /jobs/{job_id}?wait=) at a time; a further one ' +
      'gets 429.'),
  EVENT_STREAMS_PER_TENANT: count(500, 0, 100_000, 'Event streams of jobs that one tenant may hold open.'),
  EVENT_HEARTBEAT_MS: count(15_000, 50, 600_000, 'Interval of the sign of life in an event stream, milliseconds.'),

  RATE_LIMITS: flag(true, 'Limit requests per key and tenant.'),
  RATE_READS_PER_MINUTE: count(60_000, 1, 1e9, 'Reads of one key per minute.'),
  RATE_CREATES_PER_MINUTE: count(6_000, 1, 1e9, 'Job-creating requests of one key per minute.'),
  RATE_UPLOADS_PER_MINUTE: count(6_000, 1, 1e9, 'Uploads of one key per minute.'),
  RATE_AGENT_PER_MINUTE: count(600, 1, 1e9, 'Requests to the agent of one key per minute.'),
  RATE_TENANT_FACTOR: count(2, 1, 1000, 'All keys of a tenant together have this many times the limits of one key.'),
  SYNC_CPU_MS_PER_MINUTE: count(60_000, 100, 1e9,
    'Processor time that one tenant may take each minute for what workers compute while its caller waits - content ' +
      'checks, previews, the agent, estimates, tests of connections, look-ups of places -, and for the listings of ' +
      "customers' stores that its jobs read, milliseconds of a core."),
  API_CPU_MS_PER_MINUTE: count(10_000, 100, 1e9,
    'Processor time that one tenant may take each minute of the api process itself, which has one thread for ' +
      'everybody: 10,000 are a sixth of it. Reads of single things take none, but for the bytes of files.'),
  RATE_AUTH_FAILURES_PER_MINUTE: count(20, 1, 1e9, 'Failed authentications of one address per minute.')
}, { additionalProperties: false })

export type Config = Readonly<Static<typeof schema>>
export type SettingName = keyof typeof schema.properties

export class ConfigError extends Error {
  override name = 'ConfigError'
}

/** Name, default, description and schema of every setting, for docs/reference/settings.md and `tabcast config`. */
export const settings = Object.entries(
  schema.properties as unknown as Record<string, TSchema & Rule & { default: unknown, description: string }>
)

const compiled = Compile(schema)

/**
 * Variables that share the prefix but are no settings: the name of the settings file, and those that the command
 * `forecast` and the clients read.
 */
const notSettings = new Set(['TABCAST_CONFIG', 'TABCAST_API_KEY', 'TABCAST_URL'])

/**
 * Environment variables win over the file that TABCAST_CONFIG names (JSON, keys without the prefix), and the file wins
 * over the defaults.
 */
export function loadConfig (env: NodeJS.ProcessEnv = process.env): Config {
  const given: Record<string, unknown> = {}
  if (env['TABCAST_CONFIG']) Object.assign(given, readSettingsFile(env['TABCAST_CONFIG']))
  for (const [name, value] of Object.entries(env)) {
    if (notSettings.has(name) || !name.startsWith('TABCAST_') || value === undefined || value === '') continue
    const key = name.slice('TABCAST_'.length)
    if (!(key in schema.properties)) throw new ConfigError(`${name}: no such setting (see \`tabcast config\`)`)
    given[key] = value
  }
  for (const [key, value] of Object.entries(given)) given[key] = fromText(ruleOf(key), value)
  const value = Value.Default(schema, given)
  if (!compiled.Check(value)) {
    const [error] = compiled.Errors(value)
    const key = error?.instancePath.split('/')[1] ?? ''
    const shown = JSON.stringify(shownValue(ruleOf(key), (value as Record<string, unknown>)[key]))
    const { description } = ruleOf(key)
    throw new ConfigError(`TABCAST_${key}=${shown}: ${requirement(ruleOf(key))} (${description})`)
  }
  return Object.freeze(value)
}

export type SettingSource = 'environment' | 'file' | 'default'

/** Says where `loadConfig` takes a setting from. */
export function sourceOf (name: string, env: NodeJS.ProcessEnv = process.env): SettingSource {
  if (env[`TABCAST_${name}`]) return 'environment'
  return env['TABCAST_CONFIG'] && name in readSettingsFile(env['TABCAST_CONFIG']) ? 'file' : 'default'
}

/** The part of a setting's value that may be printed. */
export function shownValue ({ secret }: Rule, value: unknown): unknown {
  return secret === true && value !== '' ? '<set, not shown>' : value
}

interface Rule {
  description?: string
  type?: string
  minimum?: number
  maximum?: number
  /** The pattern in words. */
  form?: string
  secret?: boolean
  anyOf?: Array<{ const: string }>
}

function ruleOf (key: string): Rule {
  return (schema.properties as Record<string, Rule>)[key] ?? {}
}

/**
 * A text that does not look exactly like the wanted type stays a text, so that the check refuses it. TypeBox's own
 * conversion would read 1.5 as the integer 1.
 */
function fromText ({ type }: Rule, value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (type === 'integer') return /^[+-]?\d{1,16}$/.test(value) ? Number(value) : value
  if (type === 'boolean' && ['true', '1'].includes(value)) return true
  if (type === 'boolean' && ['false', '0'].includes(value)) return false
  return value
}

/** Says what a value of this setting must be, to end a sentence. */
export function requirement ({ type, minimum, maximum, form, anyOf }: Rule): string {
  if (type === 'integer') return `must be an integer from ${minimum} to ${maximum}`
  if (type === 'boolean') return 'must be a boolean, true or false'
  if (anyOf !== undefined) return `must be one of ${anyOf.map((branch) => branch.const).join(', ')}`
  return form === undefined ? 'must be text' : `must be ${form}`
}

function readSettingsFile (path: string): object {
  let parsed: unknown
  try {
    parsed = JSON.parse(readFileSync(path, 'utf8'))
  } catch (cause) {
    // The parser's message quotes the text, which may contain secrets.
    if (cause instanceof SyntaxError) {
      throw new ConfigError(`TABCAST_CONFIG=${path}: is not JSON; it looks like {"PORT": 8080}`)
    }
    throw new ConfigError(`TABCAST_CONFIG=${path}: ${(cause as Error).message}`, { cause })
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new ConfigError(`TABCAST_CONFIG=${path}: must be a JSON object`)
  }
  const unknown = Object.keys(parsed).find((key) => !(key in schema.properties))
  if (unknown !== undefined) {
    throw new ConfigError(`TABCAST_CONFIG=${path}: no such setting: ${unknown} (see \`tabcast config\`)`)
  }
  return parsed
}

/** Paths inside the data folder. */
export function dataPaths (config: Config) {
  const at = (...parts: string[]) => join(config.DATA_DIR, ...parts)
  return {
    metadata: at('metadata'),
    objects: at('objects'),
    spool: at('spool'),
    scratch: at('scratch'),
    queue: at('nats'),
    secrets: at('secrets.json'),
    keyring: config.KEYRING_FILE === '' ? at('keyring.json') : config.KEYRING_FILE,
    lock: at('lock'),
    queueLock: at('nats.lock'),
    socket: at('admin.sock')
  }
}
