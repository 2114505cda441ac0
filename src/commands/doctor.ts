import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { check, fail, ok, warn, type Check } from '../operations/doctor/check.ts'
import { folderChecks } from '../operations/doctor/folder-checks.ts'
import { machineChecks } from '../operations/doctor/machine-checks.ts'
import { storeChecks } from '../operations/doctor/store-checks.ts'
import { syncIntervalCheck } from '../operations/doctor/sync-interval-check.ts'
import { dataPaths, type Config } from '../platform/config.ts'
import { createLog } from '../platform/log/log.ts'
import { isRemoteStore } from '../platform/store/store-config.ts'
import { callAdminSocketIfThere } from '../services/keys/key-administration.ts'
import { checkSettings } from './check-settings.ts'
import { holdDataFolder } from './data-folder.ts'
import { everySealed } from './sealed-records.ts'
import { diskSpace } from './service-limits.ts'

/** How long `--running` waits for a service that has just been started. */
const startMs = 15_000
const retryMs = 250

/**
 * `tabcast doctor [--json] [--running]`: returns 0 when no check fails; null for wrong usage. With `--running`, a
 * service that does not run fails too.
 */
export async function runDoctorCommand (config: Config, args: string[],
  print: (line: string) => void): Promise<number | null> {
  const { values: { json = false, running = false }, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { json: { type: 'boolean' }, running: { type: 'boolean' } }
  })
  if (positionals.length > 0) return null
  const checks = await allChecks(config, running)
  if (json) print(JSON.stringify({ checks }, null, 2))
  else {for (const { name, status, message, remedy, help } of checks) {
      const advice = remedy === undefined ? '' : ` -> ${remedy} (${help})`
      print(`${status.padEnd(5)} ${name.padEnd(12)} ${message}${advice}`)
    }}
  return checks.some(({ status }) => status === 'fail') ? 1 : 0
}

async function allChecks (config: Config, mustRun: boolean): Promise<Check[]> {
  const settings = await check('settings', 'see the text; serve ends with exit code 78 until it is mended', () => {
    checkSettings(config)
    return ok('settings', 'those of this shell fit together, and the files that they name can be used')
  })
  const machine = [...await machineChecks(config), settings]
  const paths = dataPaths(config)
  // A check must not create the folder that it looks for.
  if (!existsSync(join(paths.metadata, 'data.mdb'))) {
    // A host of workers has no record, and the bucket of the others.
    return [...machine, ...isRemoteStore(config) ? await storeChecks(config) : [],
      (mustRun ? fail : warn)('service', `TABCAST_DATA_DIR=${config.DATA_DIR}: no service has run on this folder`,
        'name the data folder of the service, or start it')]
  }
  const sync = await check('queue_sync', 'the folder of the queue has to belong to the user that runs the service',
    () => syncIntervalCheck(config))
  return [...machine, ...await storeChecks(config), sync, ...await serviceChecks(config, mustRun)]
}

/** Checks through the running api or, when none runs, on the folder itself. */
async function serviceChecks (config: Config, mustRun: boolean): Promise<Check[]> {
  const paths = dataPaths(config)
  try {
    const told = await askService(paths.socket, mustRun ? startMs : 0)
    if (told !== undefined) return [ok('service', 'runs'), ...told]
    const folder = await holdDataFolder(config)
    const room = diskSpace(config, createLog('silent', {}))
    try {
      const stopped = (mustRun ? fail : warn)('service', 'does not run, so nothing is known of its queue and workers',
        'start it; if it does not start, its log has the reason')
      if (config.DATA_DIR_MAX_BYTES > 0) await room.measure()
      return [stopped,
        ...await folderChecks({ ...folder, room, secretsPath: paths.secrets, keyringPath: paths.keyring, everySealed })]
    } finally {
      await room.stop()
      await folder.release()
    }
  } catch (error) {
    return [fail('service', (error as Error).message, 'see the text; while a service starts or stops, try again')]
  }
}

async function askService (socket: string, waitMs: number): Promise<Check[] | undefined> {
  const endMs = performance.now() + waitMs
  for (;;) {
    const told = await callAdminSocketIfThere(socket, 'POST', '/doctor', {}) as Check[] | undefined
    if (told !== undefined || performance.now() >= endMs) return told
    await sleep(retryMs)
  }
}
