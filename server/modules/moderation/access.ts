// Cases that staff may read, open and change: not those about them or by them.
import { crc32 } from 'node:zlib'
import type { OpenedKind } from '#contract/moderation/person-cases.ts'
import { CASE_LOCK_MS } from '#contract/moderation/measures.ts'
import type { Deps, Unit } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { holderOf, mayMeasure } from '#server/rules/moderation/restrictions.ts'
import { subjectsOf, wasListed } from '#server/store/audit/entries.ts'
import type { Db } from '#server/store/database.ts'
import { newestCopied } from '#server/store/messages/reported.ts'
import {
  type CaseRecord,
  findCase,
  isInvolved,
  lockCase,
  lockCaseOf,
  removeCase,
  setCase,
} from '#server/store/moderation/cases.ts'
import { listDecisionsOf } from '#server/store/moderation/decisions.ts'
import { findOpenHold, type HeldThing } from '#server/store/moderation/holds.ts'
import { findUser } from '#server/store/people/people.ts'
import { postColumns } from '#server/store/personal/content.ts'
import { quotedText } from '#server/store/personal/duties.ts'
import { accountColumns } from '#server/store/personal/people.ts'
import { findPost } from '#server/store/posts/posts.ts'
import { findCommentText } from '#server/store/reactions/reports.ts'
import { ownerOf } from '#server/store/staff/person-content.ts'
import { lockRole } from '#server/store/staff/staff.ts'

/** @throws ApiError `not_found` also for the owner and for reporters of the case */
export async function readableCase(db: Db, viewer: Viewer, caseId: string): Promise<CaseRecord> {
  const found = await findCase(db, caseId)
  if (!found || (await isInvolved(db, caseId, viewer.id))) throw new ApiError('not_found')
  return found
}

/** As `readableCase`, locked until the transaction ends. */
export async function lockedCase(tx: Db, viewer: Viewer, caseId: string): Promise<CaseRecord> {
  const found = await lockCase(tx, caseId)
  if (!found || (await isInvolved(tx, caseId, viewer.id))) throw new ApiError('not_found')
  return found
}

/** @throws ApiError `conflict` unless the viewer has taken the case */
export async function takenCase(
  tx: Db,
  viewer: Viewer,
  caseId: string,
  state: CaseRecord['state'],
  now: number,
): Promise<CaseRecord> {
  const found = await lockedCase(tx, viewer, caseId)
  if (found.state !== state || holderOf(found, now) !== viewer.id) throw new ApiError('conflict')
  return found
}

interface Reading {
  readonly found: CaseRecord
  /** Whether the decision leaves the content as it is. */
  readonly keeps: boolean
}

/**
 * Requires that staff were shown the case since it waits, and of a reported message the copies of its newest report, as long as it has
 * any. A post or a profile that was changed afterwards has to be read again before it is left as it is: a measure against it must not
 * wait for an author who goes on changing it.
 * @throws ApiError `unseen`
 */
export async function requireRead(tx: Db, viewer: Viewer, { found, keeps }: Reading): Promise<void> {
  const read = { actorId: viewer.id, act: 'case.read', since: found.since }
  if (!(await subjectsOf(tx, read, [found.id])).has(found.id)) throw new ApiError('unseen')
  const thing = await textNumber(tx, found)
  if (keeps && !(await wasListed(tx, read, { list: 'text', thing }))) throw new ApiError('unseen')
  if ((await messagesOf(tx, viewer, found))?.shown === false) throw new ApiError('unseen')
}

/** A number that differs for another case, and for another text of its content. */
export async function textNumber(db: Db, found: CaseRecord): Promise<number> {
  return crc32(`${found.id} ${await textOf(db, found)}`)
}

/** What people read of the content of a case; '' for a message, whose copies do not change. */
async function textOf(db: Db, { targetKind, targetId }: CaseRecord): Promise<string> {
  switch (targetKind) {
    case 'post': {
      const post = await findPost(db, targetId)
      return post ? quotedText(postColumns, post) : ''
    }
    case 'comment':
      return (await findCommentText(db, targetId))?.content ?? ''
    case 'person': {
      const user = await findUser(db, targetId)
      return user ? quotedText(accountColumns, user) : ''
    }
    case 'message':
      return ''
    default:
      return targetKind satisfies never
  }
}

/** The report whose copies show a reported message, and whether they were shown to the viewer; null without copies. */
export async function messagesOf(
  db: Db,
  viewer: Viewer,
  found: CaseRecord,
): Promise<{ readonly reportId: string; readonly shown: boolean } | null> {
  const reportId = found.targetKind === 'message' ? await newestCopied(db, found.id) : undefined
  if (reportId === undefined) return null
  const opened = await subjectsOf(db, { actorId: viewer.id, act: 'report.read_messages' }, [reportId])
  return { reportId, shown: opened.has(reportId) }
}

interface Opening {
  readonly viewer: Viewer
  readonly kind: OpenedKind
  readonly targetId: string
  readonly ip: string
}

/** Opens the case of a thing or person without a report, and takes it. The errors are those of `openCase`. */
export function openTakenCase(
  { transaction, clock }: Deps,
  { viewer, kind, targetId, ip }: Opening,
): Promise<CaseRecord> {
  const now = clock()
  return transaction(async ({ tx, audit }) => {
    const ownerId = await ownerOf(tx, kind, targetId)
    if (ownerId === undefined) throw new ApiError('not_found')
    const found = await lockCaseOf(tx, { targetKind: kind, targetId, ownerId }, now)
    if (await isInvolved(tx, found.id, viewer.id)) throw new ApiError('forbidden')
    const owner = await lockRole(tx, ownerId)
    if (kind === 'person' && !mayMeasure(viewer.role, owner?.role ?? 'member'))
      throw new ApiError('forbidden')
    const holder = holderOf(found, now)
    if (found.state === 'appealed' || (holder !== null && holder !== viewer.id))
      throw new ApiError('conflict')
    if (holder !== viewer.id)
      audit({ actorId: viewer.id, act: 'case.open', subjectKind: 'case', subjectId: found.id, ip })
    return setCase(tx, found.id, {
      state: 'open',
      ...(found.state === 'decided' && { since: new Date(now) }),
      takenBy: viewer.id,
      takenUntil: new Date(now + CASE_LOCK_MS),
    })
  })
}

/**
 * Gives a locked case back. One that staff opened without a report is decided as before, or gone if nothing was ever decided.
 * @returns the case as it was last
 */
export async function giveBack({ tx }: Pick<Unit, 'tx'>, found: CaseRecord): Promise<CaseRecord> {
  const free = { takenBy: null, takenUntil: null }
  if (found.state !== 'open' || (await hasWork(tx, found))) return setCase(tx, found.id, free)
  const [last] = await listDecisionsOf(tx, found.id)
  if (last) return setCase(tx, found.id, { ...free, state: 'decided', since: last.decidedAt })
  await removeCase(tx, found.id)
  return { ...found, ...free }
}

/** Whether a report or a hold of the case waits for a decision. */
export const hasWork = async (tx: Db, found: CaseRecord): Promise<boolean> => {
  const thing = heldThingOf(found)
  return found.reports > 0 || (thing !== undefined && (await findOpenHold(tx, thing)) !== undefined)
}

/** The content of a case, if it can be held. */
export const heldThingOf = ({ targetKind, targetId }: CaseRecord): HeldThing | undefined =>
  targetKind === 'post' || targetKind === 'comment' ? { targetKind, targetId } : undefined
