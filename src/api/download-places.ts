import { TabcastError } from '../platform/errors.ts'
import { isVisitor } from '../services/keys/payer.ts'
import { SharedPlaces, type PlaceBounds, type PlaceTime } from './shared-places.ts'

/** This many tenants can have all of their places at the same time. Beyond that, each has one. */
const fullTenants = 8
const maxWaitMs = 5000
const retryAfterSeconds = 10

/**
 * A visitor of the sandbox has this fraction of a tenant's places, and all visitors together have this multiple of
 * them. A visitor without a place gets an extra one, up to twice that multiple in all.
 */
const visitorShare = 4

/**
 * Limits how many downloads are sent at the same time, because a single thread sends all of them. Tenants and visitors
 * take no places from each other. A tenant without a place always gets one. Visitors can be as many as somebody has
 * addresses, so if all their places are taken, a visitor without a place gets one whose time is over.
 */
export class DownloadPlaces {
  readonly #tenants: { bounds: PlaceBounds, places: SharedPlaces }
  readonly #visitors: { bounds: PlaceBounds, places: SharedPlaces }

  constructor ({ perTenant, waitMs = maxWaitMs }: { perTenant: number, waitMs?: number }) {
    const shared = (bounds: PlaceBounds) => ({ bounds, places: new SharedPlaces(bounds, waitMs) })
    this.#tenants = shared({ ofOne: perTenant, ofAll: perTenant * fullTenants, most: Infinity })
    const ofAll = perTenant * visitorShare
    this.#visitors = shared({ ofOne: Math.ceil(perTenant / visitorShare), ofAll, most: 2 * ofAll })
  }

  /** Returns a function that gives the place back, and may be called more than once. Rejects with rate_limited. */
  async take (payer: string, time?: PlaceTime): Promise<() => void> {
    const { bounds, places } = isVisitor(payer) ? this.#visitors : this.#tenants
    const release = await places.take(payer, time)
    if (release !== undefined) return release
    const which = isVisitor(payer)
      ? `${bounds.ofOne} downloads to one address, and ${bounds.ofAll} to all visitors of the sandbox,`
      : `${bounds.ofOne} downloads of this tenant`
    const text = `${which} are sent at a time, and none of them has ended.`
    throw new TabcastError('rate_limited', text, {
      reason: 'downloads',
      suggestion: 'Wait until a download has ended. More downloads at a time are not faster.',
      retryAfterSeconds
    })
  }
}
