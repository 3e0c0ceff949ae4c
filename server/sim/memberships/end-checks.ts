// The invariants of memberships at the end of a story, after reconciliation and all jobs.
import { causesOf, isRefunded, type Violation } from '#server/sim/invariants.ts'
import { type ClubObserved, membershipOfPayment } from './observed.ts'
import type { ClubStory } from './story.ts'

/** A notice that was answered with success is handled by job or sweep, without another one. */
export function checkClubStored({ charges: truth }: ClubStory, observed: ClubObserved): Violation[] {
  const numbers = new Set(observed.charges.map((it) => it.gid))
  const told = new Set(observed.tasks.filter((it) => it.kind === 'notice_mismatch').map((it) => it.gid))
  return truth
    .filter((it) => it.isAcknowledged && !numbers.has(it.gid) && !told.has(it.gid))
    .map((it) => ({ of: 'stored', says: `the notice of ${it.gid} was answered with 200 and lost` }))
}

/** What a membership costs and has cost. Another amount is that of a change that was taken back: its task is by hand. */
function amountsOf({ payments, memberships }: ClubObserved, formId: string): Set<number> {
  const form = payments.find((it) => it.id === formId)
  const id = form ? membershipOfPayment(form) : formId
  const own = memberships.find((it) => it.id === id)
  const paid = payments.filter((it) => membershipOfPayment(it) === id).map((it) => it.amount)
  return new Set([...paid, ...(own ? [own.price, own.next_price ?? own.price, own.charged_amount] : [])])
}

/** Each charge is a sale of a period, or its money is back. */
function checkSettled({ charges: truth }: ClubStory, observed: ClubObserved): string[] {
  const { charges, tasks } = observed
  return truth.flatMap((it) => {
    const stored = charges.find(({ gid }) => gid === it.gid)
    const isTold = tasks.some((task) => task.gid === it.gid && !task.done)
    if (!stored) {
      if (isTold && (it.isTampered || !amountsOf(observed, it.paymentId).has(it.amount))) return []
      return [`${it.gid} of ${it.amount} yen is not recorded${isTold ? ', but has a task' : ''}`]
    }
    const isOwed = stored.is_surplus || isRefunded(stored)
    return [
      ...(it.isTampered && !stored.is_surplus ? [`${it.gid}, a charge of a changed form, is a sale`] : []),
      ...(isOwed && it.returned === 0 ? [`${it.gid} is owed and was not returned`] : []),
      ...(isOwed && !causesOf(stored).has('refund_paid') ? [`the return of ${it.gid} is not booked`] : []),
    ]
  })
}

/** The provider charges exactly for the memberships that go on, and their amounts. */
function checkProvider({ servers }: ClubStory, { memberships }: ClubObserved): string[] {
  const { recurring } = servers.provider
  const members = new Map(memberships.map((it) => [it.acid, it]))
  const wanted = (acid: string): number => {
    const it = members.get(acid)
    return it?.state === 'active' || it?.state === 'past_due' ? (it.next_price ?? it.price) : 0
  }
  return [...recurring.values()].flatMap(({ acid, isRunning, amount }) => {
    const is = isRunning ? amount : 0
    const noted = members.get(acid)?.charged_amount ?? is
    return is === wanted(acid) && noted === is
      ? []
      : [`the provider charges ${is} yen a month, not ${wanted(acid)}; the server noted ${noted}`]
  })
}

function checkStopped({ confirmed }: ClubStory, { memberships }: ClubObserved): string[] {
  return memberships.flatMap(({ id, state }) =>
    confirmed.get(id)?.isStopped === true && (state === 'active' || state === 'past_due')
      ? [`a membership that its member stopped is ${state}`]
      : [],
  )
}

const byHand = new Set(['stop_charges', 'change_amount', 'resume_charges', 'refund', 'refund_surplus'])

export function checkClubEnd(story: ClubStory, observed: ClubObserved): Violation[] {
  const open = observed.tasks.filter((it) => byHand.has(it.kind) && !it.done)
  const checks: readonly (readonly [Violation['of'], readonly string[]])[] = [
    ['settled', checkSettled(story, observed)],
    ['settled', open.map((it) => `a task ${it.kind} is not closed`)],
    ['recurring', [...checkProvider(story, observed), ...checkStopped(story, observed)]],
  ]
  return checks.flatMap(([of, says]) => says.map((it) => ({ of, says: it })))
}
