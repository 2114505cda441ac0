#!/usr/bin/env node
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Logger } from 'pino'
import { becomeOwner } from './commands/folder-owner.ts'
import { forecastLines, forecastUsage } from './commands/forecast-usage.ts'
import { ConfigError, loadConfig, type Config } from './platform/config.ts'
import { startHeartbeat } from './platform/liveness/heartbeat.ts'
import { createLog } from './platform/log/log.ts'

const usage = `tabcast: forecasts time series on your own machines

  tabcast serve                      the whole service: api, workers and an embedded queue
  tabcast api | worker               one part alone (TABCAST_NATS_URL names the queue)
  tabcast keys create (--tenant NAME [--scopes a,b] | --scopes sandbox) [--expires 90d] [--name TEXT]
                                     the new key is the last line of the output
  tabcast keys list | rotate ID [--overlap 24h] | revoke ID | revoke --all
${forecastLines}
  tabcast plan FILE --out FOLDER [--horizon N] [OPTION]...
  tabcast shard --plan FOLDER/plan.bin --shard FOLDER/series-N.bin --out PARTS/N
  tabcast join --plan FOLDER/plan.bin --parts PARTS --out RESULT
                                     a forecast in shards without the service, for a scheduler of your own: one plans,
                                     any number of processes forecast a shard each, one joins their parts
  tabcast calibrate --key KEY [--url URL]
                                     runs jobs of many sizes, from which estimates of run times are learned
  tabcast covariates mirror --config FILE --out BUNDLE
                                     fetches covariates into a bundle, on a machine with a connection
  tabcast covariates import BUNDLE [--replace] | status [--json]
                                     a bundle into the mounted catalogue; what the catalogue has
  tabcast vault rotate | create      a new key for stored secrets, the old one is removed; a keyring in place of a lost
                                     one, which does not open what that one sealed
  tabcast backup --out FOLDER [--keyring FILE] [--no-objects]
                                     records, secrets and objects, of a service that may run; the keyring apart
  tabcast restore FOLDER [--keyring FILE] [--force]
                                     a backup into TABCAST_DATA_DIR; --force moves what is there aside
  tabcast doctor [--json] [--running]
                                     disk, clock, queue, store, keyring and records, each with what to do about it;
                                     --running waits for a service that starts, and fails if none runs
  tabcast redrive [JOB_ID...] [--tenant NAME] [--failed-with CODE]
                                     sends open jobs that nobody works on to the queue again; with CODE, lists the jobs
                                     that failed with it, which stay failed
  tabcast sandbox list [DOMAIN] | release DOMAIN
                                     which companies have had their job in the sandbox; one that may have another
  tabcast openapi [--against FILE]   the interface description, as JSON; what in it breaks clients of another one
  tabcast config [--json]            every setting with its value, where that is from, default and rule
  tabcast version

Settings are environment variables with the prefix TABCAST_, or a JSON file named by TABCAST_CONFIG.
`

/**
 * Exit codes: 0 success, 1 failure, 2 restored except for some objects, 64 wrong usage, 78 wrong configuration (after
 * which a supervisor does not restart).
 */
const usageExitCode = 64
const configurationExitCode = 78

/** Returns the exit code. A command is loaded when it is run. */
type Command = (args: string[]) => Promise<number>

const commands = new Map<string, Command>(Object.entries<Command>({
  async serve () {
    const config = loadConfig()
    const { serve } = await import('./operations/supervisor/serve.ts')
    return await serve(config, logger(config, 'serve'))
  },
  async api () {
    const config = loadConfig()
    const { runApi } = await import('./commands/api.ts')
    // On a busy machine, loading the program may take longer than three leases.
    startHeartbeat(config.LEASE_MS)
    return await runApi(config, logger(config, 'api'))
  },
  async worker () {
    const config = loadConfig()
    const { runWorker } = await import('./worker/run-worker.ts')
    startHeartbeat(config.LEASE_MS)
    await runWorker(config)
    return 0
  },
  keys: keysCommand,
  async forecast (args) {
    const { runForecastCommand } = await import('./commands/forecast.ts')
    return await runForecastCommand(args, { print: printLine, progress: process.stderr })
  },
  plan: async (args) => await (await import('./commands/shards.ts')).runPlanCommand(loadConfig(), args, printLine),
  shard: async (args) => await (await import('./commands/shards.ts')).runShardCommand(loadConfig(), args, printLine),
  join: async (args) => await (await import('./commands/shards.ts')).runJoinCommand(loadConfig(), args, printLine),
  calibrate: calibrateCommand,
  covariates: covariatesCommand,
  vault: vaultCommand,
  backup: async (args) => await operatorCommand((await import('./commands/backup.ts')).runBackupCommand, args),
  async restore (args) {
    const { runRestoreCommand } = await import('./commands/restore.ts')
    // Root may have to make the folder and to move the previous one aside. It gives the new folder to the owner of the
    // old.
    return await runRestoreCommand(absolute(loadConfig()), args, printLine)
  },
  redrive: async (args) => await operatorCommand((await import('./commands/redrive.ts')).runRedriveCommand, args),
  sandbox: async (args) => await operatorCommand((await import('./commands/sandbox.ts')).runSandboxCommand, args),
  doctor: async (args) => await operatorCommand((await import('./commands/doctor.ts')).runDoctorCommand, args),
  openapi: async (args) => await (await import('./commands/openapi.ts')).runOpenApiCommand(args, print),
  config: async (args) => await (await import('./commands/config.ts')).runConfigCommand(args, print),
  async version () {
    const { release } = await import('./platform/process/release.ts')
    printLine(release)
    return 0
  },
  help
}))

async function main (args: string[]): Promise<number> {
  const [name, ...rest] = args
  if (args.some((arg) => arg === '--help' || arg === '-h')) return await help(name)
  if (name === undefined) {
    process.stdout.write(usage)
    return usageExitCode
  }
  const command = commands.get(name)
  return command === undefined ? wrongUsage(`tabcast: no such command: ${name}\n\n`) : await command(rest)
}

function wrongUsage (reason = ''): number {
  process.stderr.write(`${reason}${usage}`)
  return usageExitCode
}

function printLine (line: string): void {
  process.stdout.write(line + '\n')
}

/**
 * A long text is written to a pipe in pieces, and an exit would cut it off, so this waits. A reader that closes the
 * pipe early is no error.
 */
async function print (text: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const written = (error?: NodeJS.ErrnoException | null): void =>
      error == null || error.code === 'EPIPE' ? resolve() : reject(error)
    process.stdout.once('error', written)
    process.stdout.write(text, written)
  })
}

/** `help forecast` is `forecast --help`. */
async function help (command?: string | string[]): Promise<number> {
  process.stdout.write([command].flat()[0] === 'forecast' ? forecastUsage : usage)
  return 0
}

async function keysCommand (args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      tenant: { type: 'string' },
      scopes: { type: 'string' },
      expires: { type: 'string' },
      overlap: { type: 'string' },
      name: { type: 'string' },
      all: { type: 'boolean' }
    }
  })
  const [action, id] = positionals
  const { runKeysCommand } = await import('./commands/keys.ts')
  const done = await runKeysCommand(ownersConfig(), action, id, values, {
    print: printLine,
    note: (line) => process.stderr.write(`tabcast: ${line}\n`)
  })
  return done ? 0 : wrongUsage()
}

async function calibrateCommand (args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { key: { type: 'string' }, url: { type: 'string' } } })
  const { runCalibrateCommand } = await import('./commands/calibrate.ts')
  const { reachService } = await import('./commands/reach-service.ts')
  await reachService(values, async (service) => await runCalibrateCommand(service, printLine))
  return 0
}

async function covariatesCommand (args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      config: { type: 'string' },
      out: { type: 'string' },
      replace: { type: 'boolean' },
      json: { type: 'boolean' }
    }
  })
  const { runCovariatesCommand } = await import('./commands/covariates.ts')
  const code = await runCovariatesCommand(positionals, values, async (text) => await print(text + '\n'))
  return code ?? wrongUsage()
}

async function vaultCommand (args: string[]): Promise<number> {
  const [action, ...more] = args
  const { runVaultCommand } = await import('./commands/vault.ts')
  const done = more.length === 0 && await runVaultCommand(ownersConfig(), action, printLine)
  return done ? 0 : wrongUsage()
}

type OperatorCommand = (config: Config, args: string[], print: (line: string) => void) => Promise<number | null>

/** Runs a command that parses its own arguments; null from it means wrong usage. */
async function operatorCommand (run: OperatorCommand, args: string[]): Promise<number> {
  const code = await run(ownersConfig(), args, printLine)
  return code ?? wrongUsage()
}

/** The configuration for a command that works on a service's data folder as its owner. */
function ownersConfig (): Config {
  const config = absolute(loadConfig())
  becomeOwner(config.DATA_DIR)
  return config
}

function absolute (config: Config): Config {
  return { ...config, DATA_DIR: resolve(config.DATA_DIR) }
}

function logger (config: Config, role: string): Logger {
  return createLog(config.LOG_LEVEL, { role })
}

/**
 * Errors for which a restart would not help: the configuration is wrong, or the folder belongs to another process or is
 * not readable.
 */
function exitCodeOf (error: unknown): number {
  if (error instanceof ConfigError) return configurationExitCode
  const { name, code } = error as { name?: string, code?: unknown }
  if (name === 'FileLockError' || name === 'SecretsError') return configurationExitCode
  if (name === 'MetadataError' && (code === 'damaged' || code === 'newer')) return configurationExitCode
  if (name === 'KeyInputError' || name === 'UsageError' ||
    (typeof code === 'string' && code.startsWith('ERR_PARSE_ARGS'))) return usageExitCode
  return 1
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`tabcast: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(exitCodeOf(error))
  }
)
