// What staff need for an act about money: proof, and perhaps another person.
import { createHash } from 'node:crypto'
import { ApiError } from '#server/http/errors.ts'
import type { Viewer } from '#server/http/viewer.ts'
import type { SecondedDoor } from '#contract/administration/money-doors.ts'
import { validatedOf } from '#server/services/auth/validated.ts'
import type { UnitOfWork } from '#server/services/transaction/unit-of-work.ts'
import type { Db } from '#server/store/database.ts'
import {
  addTask,
  closeTask,
  lockOpenAsks,
  listOpenAsks,
  type OperatorTask,
} from '#server/store/payments/operator-tasks.ts'
import { countStaff } from '#server/store/staff/staff.ts'

/** The member of staff who acts, and the address of the request. */
export interface ActedBy {
  readonly actorId: string
  readonly ip: string
}

/** @throws ApiError `validation_required` when the password was not proven in the last ten minutes */
export function byOf({ clock }: { readonly clock: () => number }, viewer: Viewer, ip: string): ActedBy {
  validatedOf(viewer, clock())
  return { actorId: viewer.id, ip }
}

/**
 * Refuses an act about the actor's own money, as long as there is another member of staff who can make it.
 * @param people buyer, member and creator
 * @throws ApiError `forbidden`
 */
export async function refuseOwn(db: Db, { actorId }: ActedBy, people: readonly string[]): Promise<void> {
  if (people.includes(actorId) && (await countStaff(db, 'money')) > 1) throw new ApiError('forbidden')
}

/** An act that two members of staff make, if its amount is above the limit. */
export interface Seconded {
  readonly door: SecondedDoor
  /** All that both of them must say alike: ids and amounts. */
  readonly about: readonly (string | number)[]
  /** Whole yen. */
  readonly amount: number
  readonly paymentId: string | null
}

interface Ports {
  readonly db: Db
  readonly clock: () => number
  readonly settings: {
    /** The largest amount that one member of staff books alone, whole yen; 0 for any. */
    readonly payments: { readonly secondPersonYen: number }
  }
}

const digestOf = ({ door, about }: Seconded): string =>
  createHash('sha256')
    .update(JSON.stringify([door, ...about]))
    .digest('hex')

/** Whether the act still waits for another member of staff than the actor. An operator of one person has none. */
export async function needsSecond(
  { db, settings }: Ports,
  by: ActedBy,
  act: Seconded | undefined,
): Promise<boolean> {
  const { secondPersonYen: most } = settings.payments
  if (!act || most === 0 || act.amount <= most || (await countStaff(db, 'money')) < 2) return false
  return !isAskedByAnother(await listOpenAsks(db, digestOf(act)), by)
}

const isAskedByAnother = (asks: readonly OperatorTask[], { actorId }: ActedBy) =>
  asks.some((it) => it.details.actor !== actorId)

type Noting = Pick<UnitOfWork, 'tx' | 'audit'>

/** Notes that a member of staff has made an act which another one has to make too; a repeat changes nothing. */
export async function askSecond(unit: Noting, by: ActedBy, act: Seconded, now: number): Promise<void> {
  const digest = digestOf(act)
  if ((await lockOpenAsks(unit.tx, digest)).length > 0) return
  const { door, amount, paymentId } = act
  const details = { why: door, amount, digest, actor: by.actorId }
  const id = await addTask(unit.tx, { kind: 'second_person', paymentId, details }, now)
  const subject = { subjectKind: 'operator_task', subjectId: id } as const
  unit.audit({ ...by, act: 'second.ask', ...subject, detail: { door, amount } })
}

/** Takes the notes of an act that is made now. */
export async function takeAsks(unit: Noting, by: ActedBy, act: Seconded, now: number): Promise<void> {
  for (const { id, details } of await lockOpenAsks(unit.tx, digestOf(act))) {
    await closeTask(unit.tx, id, { now, why: 'settled' })
    if (details.actor === by.actorId) continue
    const subject = { subjectKind: 'operator_task', subjectId: id } as const
    unit.audit({ ...by, act: 'second.confirm', ...subject, detail: { door: act.door, amount: act.amount } })
  }
}
