import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import { handler } from 'altcha-lib/workers/shared'

/** A worker that tries its share of the keys for an ALTCHA challenge. */
handler({ deriveKey })
