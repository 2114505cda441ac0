import type { ConnectionInput } from '../../domain/connection.ts'
import type { SourceValidation, StoredObject, StoredObjectPage } from '../../domain/connector-results.ts'
import type { DatasetCheck } from '../../domain/dataset-inspection.ts'
import { ConnectorError } from './connector-error.ts'
import type { Connector, InspectSource } from './connector.ts'
import { asConnectorError } from './provider-errors.ts'
import { readBeginning, readParts } from './read-parts.ts'
import { findParts, isFolder, partsAmong } from './source-parts.ts'
import { StoreSession, type SessionDeps } from './store-session.ts'
import { testConnection } from './test-connection.ts'
import { writeObject } from './write-object.ts'

/** The most bytes of a source that are read while a client waits for the answer. */
const waitedBytes = 256 * 1024 * 1024

/** Opens a connector to a store with the S3 interface. The first operation that needs a session opens one. */
export function openS3Connector (connection: ConnectionInput, deps: SessionDeps): Connector {
  const { objectStorage, capabilities } = connection
  const { maxBytes } = deps.settings
  let opening: Promise<StoreSession> | undefined
  const opened = async (): Promise<StoreSession> => {
    opening ??= StoreSession.open(connection, deps)
    return await opening
  }
  const source = { ...objectStorage, delivered: new Map(connection.delivered.map(({ key, bytes }) => [key, bytes])) }
  const parts = async () => await findParts(await opened(), source)

  const inspect = async ({ folder, reserve, dataset, limits, inspect }: InspectSource) => {
    const found = await parts()
    const listed = bytesOf(found)
    const { fileFormat: format, compression } = objectStorage
    const firstBytes = Math.min(maxBytes, waitedBytes)
    await reserve?.(Math.min(listed, firstBytes))
    const { paths, bytes, truncated } = await readBeginning(await opened(), found, objectStorage, folder, firstBytes)
    const inspection = await inspect({ paths, format, compression, dataset, limits })
    const volume = volumeCheck(listed, maxBytes)
    const checks = inspection.checks.some(({ check, status }) => check === 'volume' && status === 'failed')
      ? inspection.checks
      : [...inspection.checks.filter(({ check }) => check !== 'volume'), volume]
    return { ...inspection, checks, bytesRead: bytes, truncated: truncated || inspection.truncated }
  }

  return {
    testConnection: () => testConnection(connection, deps),

    async listObjects ({ limit, startAfter }): Promise<StoredObjectPage> {
      const { objects, isTruncated } = await (await opened()).list(objectStorage.prefix, startAfter,
        isFolder(objectStorage) ? limit : 1)
      return {
        objects: await partsAmong(source, objects),
        next: isTruncated && isFolder(objectStorage) ? objects.at(-1)?.key ?? null : null
      }
    },

    async estimateSize () {
      const found = await parts()
      return { objects: found.length, bytes: bytesOf(found) }
    },

    inferSchema: async (source) => (await inspect(source)).columns,
    validateSource: async (source): Promise<SourceValidation> => await inspect(source),
    async readData ({ folder, reserve }) {
      const found = await parts()
      const bytes = bytesOf(found)
      if (bytes > maxBytes) throw new ConnectorError('DATASET_TOO_LARGE')
      await reserve?.(bytes)
      return await readParts(await opened(), found, objectStorage, folder, maxBytes)
    },
    writeOutput: async (output) => await writeObject(await opened(), output, capabilities.conditionalPut === true),

    close () {
      opening?.then((session) => session.close(), asConnectorError)
    }
  }
}

function bytesOf (parts: readonly StoredObject[]): number {
  return parts.reduce((sum, { bytes }) => sum + bytes, 0)
}

/** The inspection checks the rows; this checks the size of the whole source. */
function volumeCheck (bytes: number, maxBytes: number): DatasetCheck {
  const isTooLarge = bytes > maxBytes
  return {
    check: 'volume',
    status: isTooLarge ? 'failed' : 'passed',
    count: bytes,
    sampleRows: [],
    message: isTooLarge
      ? `The source has ${bytes} bytes, more than the ${maxBytes} that a connection may read.`
      : `The source has ${bytes} bytes.`
  }
}
