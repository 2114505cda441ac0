import { join } from 'node:path'

/** Path of one of the public data sets; bench/README.md says where they come from. */
export function dataSetPath (name: string): string {
  return join(dataFolder(), 'ts', `${name}.parquet`)
}

/** Path of one of the public panels, by the name of its file. */
export function panelPath (file: string): string {
  return join(dataFolder(), 'ts', file)
}

/** Path of the bottom series of one of the public hierarchies. */
export function hierarchyPath (file: string): string {
  return join(dataFolder(), 'hier', file)
}

/** Path of one of the sets of GIFT-Eval, or of its published results. */
export function highFrequencyPath (file: string): string {
  return join(dataFolder(), 'gift', file)
}

/** Path of one of the public tables. */
export function tablePath (name: string): string {
  return join(dataFolder(), 'tab', `${name}.csv`)
}

/** The folder of the public data: `ts`, `hier` and `tab`. */
export function dataFolder (): string {
  const folder = process.env['TABCAST_BENCH_DATA']
  if (!folder) {
    throw new Error(
      'TABCAST_BENCH_DATA must name the folder that holds ts/, hier/ and tab/ (bench/README.md says where the data ' +
        'come from)'
    )
  }
  return folder
}
