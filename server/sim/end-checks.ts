// The invariants that hold at the end of a story, after all notices and jobs.
import { causesOf, creatorShare, isRefunded, type Violation } from './invariants.ts'
import type { Observed } from './observed.ts'
import type { Story } from './story.ts'

/** A notice that was answered with success is handled by job or sweep, without another one. */
export function checkStored({ charges: truth }: Story, { charges }: Observed): Violation[] {
  const numbers = new Set(charges.map((it) => it.gid))
  return truth
    .filter((it) => it.isAcknowledged && !it.isTampered && !numbers.has(it.gid))
    .map((it) => ({ of: 'stored', says: `the notice of ${it.gid} was answered with 200 and lost` }))
}

/** After all notices, jobs and sweeps: each charge is a sale, or its money is back with the buyer. */
export function checkEnd({ charges: truth }: Story, { charges, tasks }: Observed): Violation[] {
  const violations = truth.flatMap((it): string[] => {
    const stored = charges.find(({ gid }) => gid === it.gid)
    const causes = stored ? causesOf(stored) : new Set()
    const has = (kind: string, done: boolean) =>
      tasks.some((task) => task.kind === kind && task.gid === it.gid && task.done === done)
    if (it.isTampered) {
      if (stored) return [`a charge of a changed form, ${it.gid}, is recorded`]
      return has('notice_mismatch', false) || has('difference', false)
        ? []
        : [`no task is about ${it.gid}, a charge of a changed form`]
    }
    if (!stored) return [`${it.gid} is not recorded`]
    const isOwed = stored.is_surplus || isRefunded(stored)
    const kind = stored.is_surplus ? 'refund_surplus' : 'refund'
    return [
      ...(isOwed && it.returned === 0 ? [`${it.gid} is owed and was not returned`] : []),
      ...(isOwed && !causes.has('refund_paid') ? [`the return of ${it.gid} is not booked`] : []),
      ...(isOwed && (has(kind, false) || !has(kind, true)) ? [`the task about ${it.gid} is not closed`] : []),
    ]
  })
  return violations.map((says) => ({ of: 'settled', says }))
}

/** What the ledger owes the creators of these charges, yen. */
export const payableOf = ({ charges }: Pick<Observed, 'charges'>): number =>
  charges
    .filter((it) => !it.is_surplus && !isRefunded(it))
    .reduce((sum, it) => sum + creatorShare(it.amount), 0)
