// Changes the state of a notice: schedules, publishes, stops, resumes and withdraws it.
import { NO_ID } from '#contract/administration/audit-names.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import type { actOnNotice } from '#contract/notices/admin-notices.ts'
import type { Deps, Unit } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { after, publishProblem } from '#server/rules/notices/state.ts'
import { broadcast } from '#server/services/notifications/notify.ts'
import { countAudience } from '#server/store/notices/audience.ts'
import {
  advanceNotice,
  changeNotice,
  lockNotice,
  type NoticeRow,
  removeEmailsAbout,
} from '#server/store/notices/notices.ts'
import { cancelFanOut, nextBatch } from '#server/store/notifications/fan-outs.ts'

/** The person of staff who acts. */
export interface Actor {
  readonly id: string
  readonly ip: string
}

type Body = BodyOf<typeof actOnNotice>

export const auditOf = (by: Actor, noticeId: string) =>
  ({ actorId: by.id, subjectKind: 'notice', subjectId: noticeId, ip: by.ip }) as const

/** @throws ApiError `not_found`, `conflict` or `invalid`, as `actOnNotice` says */
export async function act(deps: Deps, by: Actor, noticeId: string, body: Body): Promise<void> {
  await deps.transaction(async (unit) => {
    const notice = await lockNotice(unit.tx, noticeId)
    if (!notice) throw new ApiError('not_found')
    const state = after(notice.state, body.act)
    if (state === undefined || notice.revision !== body.revision) throw new ApiError('conflict')
    const entry = auditOf(by, noticeId)
    switch (body.act) {
      case 'schedule':
        return schedule(deps, unit, notice, body.at, entry)
      case 'unschedule':
        await changeNotice(unit.tx, noticeId, { state, publishedAt: null })
        return unit.audit({ ...entry, act: 'notice.unschedule' })
      case 'publish': {
        requirePublishable(deps, notice)
        const people = await begin(deps, unit, notice, deps.clock())
        await changeNotice(unit.tx, noticeId, {})
        return unit.audit({ ...entry, act: 'notice.publish', detail: publishedDetail(notice, people) })
      }
      case 'stop':
        await changeNotice(unit.tx, noticeId, { state })
        return unit.audit({ ...entry, act: 'notice.stop', detail: { reached: notice.reached } })
      case 'resume': {
        await changeNotice(unit.tx, noticeId, { state })
        const stretch = await nextBatch(unit.tx, noticeId)
        if (stretch !== undefined) await unit.enqueue('notice.fan-out', { subjectId: noticeId, stretch })
        return unit.audit({ ...entry, act: 'notice.resume', detail: { reached: notice.reached } })
      }
      case 'withdraw':
        return withdraw(deps, unit, notice, entry)
      default:
        return body.act satisfies never
    }
  })
}

type Entry = ReturnType<typeof auditOf>

/** @throws ApiError `invalid` for a notice that cannot be published as it is */
function requirePublishable({ settings }: Deps, notice: NoticeRow): void {
  const problem = publishProblem(notice, settings.operator)
  if (problem) throw new ApiError('invalid', problem)
}

async function schedule(
  deps: Deps,
  { tx, enqueue, audit }: Unit,
  notice: NoticeRow,
  wanted: string | null | undefined,
  entry: Entry,
): Promise<void> {
  requirePublishable(deps, notice)
  const at = Date.parse(wanted ?? '')
  const now = deps.clock()
  if (!(at > now)) throw new ApiError('invalid', { at: wanted ? 'too_small' : 'required' })
  await changeNotice(tx, notice.id, { state: 'scheduled', publishedAt: new Date(at) })
  await enqueue('notice.begin', { noticeId: notice.id }, { seconds: Math.ceil((at - now) / 1000) })
  audit({ ...entry, act: 'notice.schedule', detail: { at } })
}

const publishedDetail = (it: NoticeRow, people: number) => ({
  audience: it.audience,
  people,
  push: it.pushes,
  mail: it.mails,
  advertising: it.isAdvertising,
})

/** Starts the batches of a notice. @returns how many people its audience has */
async function begin(deps: Deps, unit: Unit, notice: NoticeRow, at: number): Promise<number> {
  const now = deps.clock()
  const { people } = await countAudience(unit.tx, notice, now)
  await advanceNotice(unit.tx, notice.id, {
    state: 'publishing',
    publishedAt: new Date(at),
    total: people,
  })
  await broadcast(unit, 'notice', notice.id, now)
  return people
}

/**
 * Publishes a scheduled notice that is due. Of the jobs of several times, the one at the time that was set last finds it due. One
 * that comes early, by another clock, is enqueued again.
 */
export async function beginDue(deps: Deps, noticeId: string): Promise<void> {
  await deps.transaction(async (unit) => {
    const notice = await lockNotice(unit.tx, noticeId)
    if (!notice?.publishedAt || after(notice.state, 'begin') === undefined) return
    const wait = notice.publishedAt.getTime() - deps.clock()
    if (wait > EARLY_MS) return
    if (wait > 0) return unit.enqueue('notice.begin', { noticeId }, { seconds: Math.ceil(wait / 1000) })
    const people = await begin(deps, unit, notice, notice.publishedAt.getTime())
    const entry = auditOf({ id: NO_ID, ip: '' }, noticeId)
    unit.audit({ ...entry, act: 'notice.publish', detail: publishedDetail(notice, people) })
  })
}

/** A job this much before its time is of another clock, not of an earlier schedule, ms. */
const EARLY_MS = 60_000

async function withdraw(deps: Deps, unit: Unit, notice: NoticeRow, entry: Entry): Promise<void> {
  const { tx, enqueue, audit } = unit
  await changeNotice(tx, notice.id, { state: 'withdrawn' })
  await cancelFanOut(tx, notice.id, deps.clock())
  await removeEmailsAbout(tx, notice.id)
  await enqueue('notice.retract', { noticeId: notice.id })
  audit({ ...entry, act: 'notice.withdraw', detail: { delivered: notice.delivered } })
}
