import type { CallbackObserver } from '../../services/callbacks/callback-sender.ts'
import type { DeliveryObserver } from '../../services/deliveries/delivery-desk.ts'
import type { JobObserver } from '../../services/jobs/job-observer.ts'
import type { CpuObserver } from '../../services/quotas/cpu-budgets.ts'

/** The observers that the services notify. */
export interface ServiceObservers {
  jobs: JobObserver
  callbacks: CallbackObserver
  deliveries: DeliveryObserver
  cpu: CpuObserver
}
