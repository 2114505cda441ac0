#!/usr/bin/env node
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { pino, type Logger } from 'pino'
import { ConfigError, loadConfig, requirement, settings, shownValue, type Config } from './config.ts'

const usage = `tabcast: forecasts time series on your own machines

  tabcast serve                      the whole service: api, workers and an embedded queue
  tabcast api | worker               one part alone (TABCAST_NATS_URL names the queue)
  tabcast keys create --tenant NAME [--scopes a,b] [--expires 90d] [--name TEXT]
                                     the new key is the last line of the output
  tabcast keys list | rotate ID [--overlap 24h] | revoke ID
  tabcast calibrate --key KEY [--url URL]
                                     runs jobs of many sizes, from which estimates of run times are learned
  tabcast vault rotate               a new key for stored secrets; the old one is removed
  tabcast openapi                    the interface description, as JSON
  tabcast config                     every setting with its value, default and rule
  tabcast version

Settings are environment variables with the prefix TABCAST_, or a JSON file named by TABCAST_CONFIG.
`

/** Exit codes: 0 done, 1 failed, 64 wrong usage, 78 wrong configuration (a supervisor does not restart on it). */
const usageExitCode = 64
const configurationExitCode = 78

async function main (args: string[]): Promise<number> {
  const [command, ...rest] = args
  if (args.some((arg) => arg === '--help' || arg === '-h')) return help()
  switch (command) {
    case 'serve': {
      const config = loadConfig()
      const { serve } = await import('./supervisor/serve.ts')
      return await serve(config, logger(config, 'serve'))
    }
    case 'api': {
      const config = loadConfig()
      const { runApi } = await import('./commands/api.ts')
      return await runApi(config, logger(config, 'api'))
    }
    case 'worker': {
      const { runWorker } = await import('./worker/run-worker.ts')
      await runWorker(loadConfig())
      return 0
    }
    case 'keys': return await keysCommand(rest)
    case 'calibrate': return await calibrateCommand(rest)
    case 'vault': return await vaultCommand(rest)
    case 'openapi': {
      const { openApiDocument } = await import('./api/openapi-document.ts')
      await print(JSON.stringify(await openApiDocument(), null, 2) + '\n')
      return 0
    }
    case 'config': {
      const config = loadConfig() as Record<string, unknown>
      for (const [name, rule] of settings) {
        process.stdout.write(`TABCAST_${name}=${String(shownValue(rule, config[name]))}\n    ${rule.description} Default ${JSON.stringify(rule.default)}, ${requirement(rule)}.\n`)
      }
      return 0
    }
    case 'version': {
      const { release } = await import('./release.ts')
      process.stdout.write(release + '\n')
      return 0
    }
    case 'help': return help()
    case undefined:
      process.stdout.write(usage)
      return usageExitCode
    default:
      process.stderr.write(`tabcast: no such command: ${command}\n\n${usage}`)
      return usageExitCode
  }
}

/** Into a pipe, a long text is written in pieces, and the end of the process would cut it off. */
async function print (text: string): Promise<void> {
  await new Promise<void>((resolve, reject) => process.stdout.write(text, (error) => error ? reject(error) : resolve()))
}

function help (): number {
  process.stdout.write(usage)
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
      name: { type: 'string' }
    }
  })
  const [action, id] = positionals
  const { runKeysCommand } = await import('./commands/keys.ts')
  const config = loadConfig()
  const done = await runKeysCommand({ ...config, DATA_DIR: resolve(config.DATA_DIR) }, action, id, values, (line) => process.stdout.write(line + '\n'))
  if (done) return 0
  process.stderr.write(usage)
  return usageExitCode
}

async function calibrateCommand (args: string[]): Promise<number> {
  const { values: { key, url } } = parseArgs({ args, options: { key: { type: 'string' }, url: { type: 'string' } } })
  if (key === undefined) {
    process.stderr.write(usage)
    return usageExitCode
  }
  const { runCalibrateCommand } = await import('./commands/calibrate.ts')
  await runCalibrateCommand({ key, baseUrl: url ?? `http://127.0.0.1:${loadConfig().PORT}` }, (line) => process.stdout.write(line + '\n'))
  return 0
}

async function vaultCommand (args: string[]): Promise<number> {
  const [action, ...more] = args
  const { runVaultCommand } = await import('./commands/vault.ts')
  const config = loadConfig()
  if (more.length === 0 && await runVaultCommand({ ...config, DATA_DIR: resolve(config.DATA_DIR) }, action, (line) => process.stdout.write(line + '\n'))) return 0
  process.stderr.write(usage)
  return usageExitCode
}

function logger (config: Config, role: string): Logger {
  return pino({ level: config.LOG_LEVEL, base: { role, pid: process.pid } }, pino.destination({ dest: 2, sync: true }))
}

/** Errors that starting again cannot mend: what is configured is wrong, or the folder is somebody else's or not readable. */
function exitCodeOf (error: unknown): number {
  if (error instanceof ConfigError) return configurationExitCode
  const { name, code } = error as { name?: string, code?: unknown }
  if (name === 'FileLockError' || name === 'SecretsError') return configurationExitCode
  if (name === 'MetadataError' && (code === 'damaged' || code === 'newer')) return configurationExitCode
  if (name === 'KeyInputError' || (typeof code === 'string' && code.startsWith('ERR_PARSE_ARGS'))) return usageExitCode
  return 1
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`tabcast: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(exitCodeOf(error))
  }
)
