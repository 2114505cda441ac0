import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import { handler } from 'altcha-lib/workers/shared'

/** A worker that tries keys for a challenge of ALTCHA, its share of them. */
handler({ deriveKey })
