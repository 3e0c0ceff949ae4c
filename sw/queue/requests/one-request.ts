// Jobs that one request delivers: an identity check, an act.
import type { Queued } from '#device/database/schema.ts'
import { checkOf } from '#sw/queue/kinds.ts'
import type { Outcome, Ports, PublishApi } from '#sw/queue/ports.ts'

/** A browser may be wrong for ever about its network: after so many waits it is tried all the same. */
const MANY = 4

/** The device knows that nothing would arrive: what was not sent can still be taken back by what is done next. */
export function knowsOffline({ offline }: Ports, { facts }: Queued): boolean {
  return offline?.() === true && facts.attempts < MANY
}

/** Sends the one request of a job; `id` is the name of what it made. */
export async function sendWhole(
  api: PublishApi,
  job: Queued,
  signal: AbortSignal,
): Promise<Outcome<{ id: string }>> {
  if (!job.form || job.kind !== 'act') return api.submitCheck(checkOf(job), signal)
  const end = await api.act(job, signal)
  return end.is === 'ok' ? { is: 'ok', value: { id: job.id } } : end
}
