import { npmLicences } from '../../scripts/third-party.mjs'

/** What may be in the pages' scripts. */
const allowed = new Set(['Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT'])

/** Writes licences.txt beside the pages: the licences of the packages that are in their scripts. */
export function bundledLicences () {
  return {
    name: 'bundled-licences',
    generateBundle (_options, bundle) {
      const folders = new Set()
      for (const { modules = {} } of Object.values(bundle)) {
        for (const id of Object.keys(modules)) {
          const [, folder] = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id.replace(/^\0/, '')) ?? []
          if (folder !== undefined) folders.add(folder)
        }
      }
      this.emitFile({ type: 'asset', fileName: 'licences.txt', source: npmLicences([...folders].sort(), allowed) })
    }
  }
}
