import { rm, stat, statfs, writeFile } from 'node:fs/promises'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { dataPaths, type Config } from '../../platform/config.ts'
import { openFilesLimit } from '../../platform/process/open-files-limit.ts'
import { check, fail, ok, skewCheck, warn, type Check, type CheckName } from './check.ts'

const GiB = 2 ** 30
const leastBytes = GiB / 16
const fewBytes = 2 * GiB
const leastNode = [20, 19] as const
const wantedFiles = 4096

/** Checks of the machine that any process can make. */
export async function machineChecks (config: Config): Promise<Check[]> {
  const { spool } = dataPaths(config)
  return [
    nodeCheck(process.versions.node),
    await check('addon', 'use the package of this platform; in a checkout, run make build', async () => {
      const { engineVersion } = await import('../../engine/version.ts')
      return ok('addon', `version ${engineVersion()} loads`)
    }),
    openFilesCheck(),
    ...ownerChecks(config.DATA_DIR),
    await diskCheck('disk_data', config.DATA_DIR),
    await diskCheck('disk_spool', existsSync(spool) ? spool : config.DATA_DIR),
    await fileClockCheck(config.DATA_DIR)
  ]
}

export function nodeCheck (version: string): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [leastMajor, leastMinor] = leastNode
  const isNew = major > leastMajor || (major === leastMajor && minor >= leastMinor)
  return isNew
    ? ok('node', `version ${version}`)
    : fail('node', `version ${version}`, `use Node.js ${leastNode.join('.')} or later`)
}

function openFilesCheck (): Check {
  const name = 'open_files'
  const remedy = `if the service starts from here, ulimit -n ${wantedFiles}; a unit has LimitNOFILE`
  const limit = openFilesLimit()
  if (limit === undefined) {
    return warn(name, 'the limit is not known on this system', `see to it that it is ${wantedFiles} or more`)
  }
  const message = limit === Infinity ? 'no limit in this shell' : `this shell allows ${limit} open files`
  return limit >= wantedFiles ? ok(name, message) : warn(name, message, remedy)
}

/** A user who does not own the folder sees other faults than the service has. */
function ownerChecks (folder: string): Check[] {
  if (process.getuid === undefined || !existsSync(folder)) return []
  const [user, { uid }] = [process.getuid(), statSync(folder)]
  if (uid === user) return [ok('owner', `${folder} belongs to this user, ${user}`)]
  return [
    fail('owner', `${folder} belongs to user ${uid}, and this is user ${user}`,
      `run this as user ${uid}, or as root, which then acts as that user; if the service runs as another user, ` +
        `chown -R ${folder} to that one`)
  ]
}

async function diskCheck (name: CheckName, folder: string): Promise<Check> {
  const remedy = 'make space: expire jobs sooner (TABCAST_JOB_RETENTION_SECONDS), or move the folder to a larger disk'
  return await check(name, 'name the data folder of the service with TABCAST_DATA_DIR', async () => {
    const { bavail, bsize, blocks } = await statfs(folder)
    const free = bavail * bsize
    const message = `${folder}: ${(free / GiB).toFixed(1)} GiB are free; the disk has ${
      (blocks * bsize / GiB).toFixed(1)
    } GiB in all`
    return free < leastBytes
      ? fail(name, message, remedy)
      : free < fewBytes
      ? warn(name, message, remedy)
      : ok(name, message)
  })
}

/** A disk of another machine has that machine's clock. */
async function fileClockCheck (folder: string): Promise<Check> {
  return await check('clock_disk', 'the data folder has to be there, and this user has to be able to write to it',
    async () => {
      const path = join(folder, `.doctor-${process.pid}`)
      try {
        await writeFile(path, '', { flag: 'wx', mode: 0o600 })
        return skewCheck('clock_disk', "the data folder's file system", (await stat(path)).mtimeMs, Date.now())
      } finally {
        await rm(path, { force: true })
      }
    })
}
