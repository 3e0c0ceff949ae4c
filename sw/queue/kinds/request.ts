// Performs the request that delivers a whole job: an identity check, a mutation.
import type { AnyJob, StepContext } from '#sw/queue/kind.ts'
import type { Outcome, Services } from '#sw/queue/ports.ts'

type RequestEvent = { type: 'requested' } | { type: 'delivered'; id: string; at: number }

/** After this many waits the request is sent anyway: `navigator.onLine` may stay wrong. */
const MAX_OFFLINE_WAITS = 4

/** Whether the device reports that it is offline; an unsent job can still be cancelled or replaced. */
function isKnownOffline({ offline }: Services, { attempts }: AnyJob): boolean {
  return offline?.() === true && attempts < MAX_OFFLINE_WAITS
}

/**
 * Sends the request of a job, unless the job has ended or the device reports that it is offline.
 * @param send safe to repeat; `id` is the server's name for what the request made
 */
export async function performRequest<J extends AnyJob>(
  job: J,
  send: () => Promise<Outcome<{ id: string }>>,
  { services, record, conclude }: StepContext<J, RequestEvent>,
): Promise<void> {
  if (isKnownOffline(services, job)) return conclude({ is: 'lost' })
  // From here on the server may have performed the request even if no answer arrives.
  const current = await record({ type: 'requested' })
  if (current?.stage.is !== 'requested') return
  const end = await send()
  if (end.is === 'ok') await record({ type: 'delivered', id: end.value.id, at: services.clock.now() })
  else await conclude(end)
}
