import { convertToCsv, type EngineTask } from '../engine/index.ts'
import type { ResultFile } from '../queue/messages.ts'
import { csvType, describeFile } from './describe-file.ts'
import type { ConvertTask } from './slot-messages.ts'

/** Runs in a slot process: the CSV that the forecast itself would have written. */
export async function runConvert ({ parquetPath, csvPath }: ConvertTask, engineTask: EngineTask): Promise<ResultFile> {
  await convertToCsv({ parquetPath, csvPath }, engineTask)
  return await describeFile(csvPath, csvType)
}
