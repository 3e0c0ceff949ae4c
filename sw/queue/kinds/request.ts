// Performs the request that delivers a whole job: an identity check, a mutation.
import type { AnyJob, StepContext } from '#sw/queue/kind.ts'
import type { Outcome, Services } from '#sw/queue/ports.ts'

type RequestEvent = { type: 'requested' } | { type: 'delivered'; id: string; at: number }

/** A browser's answer about its network may stay wrong: after so many waits the request is sent all the same. */
const MAX_OFFLINE_WAITS = 4

/** Whether the device knows that nothing would arrive: a job that was not sent can still be cancelled or replaced. */
function isKnownOffline({ offline }: Services, { attempts }: AnyJob): boolean {
  return offline?.() === true && attempts < MAX_OFFLINE_WAITS
}

/**
 * Sends the request of a job, unless the job has ended in the meantime or the device knows that it is offline.
 * @param send safe to repeat; `id` is the server's name for what the request made
 */
export async function performRequest<J extends AnyJob>(
  job: J,
  send: () => Promise<Outcome<{ id: string }>>,
  { services, record, conclude }: StepContext<J, RequestEvent>,
): Promise<void> {
  if (isKnownOffline(services, job)) return conclude({ is: 'lost' })
  // From here on the server may have carried it out whether or not its answer arrives.
  const current = await record({ type: 'requested' })
  if (current?.stage.is !== 'requested') return
  const end = await send()
  if (end.is === 'ok') await record({ type: 'delivered', id: end.value.id, at: services.clock.now() })
  else await conclude(end)
}
