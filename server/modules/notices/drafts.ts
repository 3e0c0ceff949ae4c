// Stores drafts of notices, and changes of notices before and after they are published.
import * as v from 'valibot'
import { type AudienceBody, type NoticeFields } from '#contract/notices/admin-notices.ts'
import { id as idSchema } from '#contract/ids.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { changeable } from '#server/rules/notices/state.ts'
import { parseNotice } from '#server/services/notices/markdown.ts'
import type { Db } from '#server/store/database.ts'
import { type AudienceColumns, findAudienceCreator } from '#server/store/notices/audience.ts'
import {
  addNotice,
  advanceNotice,
  changeNotice,
  lockNotice,
  type NoticeRow,
  type NoticeWords,
  removeNotice,
} from '#server/store/notices/notices.ts'
import { findPlan } from '#server/store/plans/plans.ts'
import { type Actor, auditOf } from './act.ts'

const nowhere = { audienceCreatorId: null, audiencePlanId: null, audienceBuild: null, audienceWhich: null }

/**
 * The columns of an audience.
 * @throws ApiError `invalid` at `creator` for an unknown one, at `plan_id` for a plan that is not theirs
 */
export async function audienceColumns(db: Db, it: AudienceBody): Promise<AudienceColumns> {
  switch (it.is) {
    case 'members': {
      const named = it.creator.replace(/^@/, '').toLowerCase()
      const creator = await findAudienceCreator(db, v.is(idSchema, named) ? { id: named } : { handle: named })
      if (!creator) throw new ApiError('invalid', { creator: 'unknown_person' })
      const plan = await findPlan(db, it.plan_id)
      if (it.plan_id !== null && plan?.creatorId !== creator.id)
        throw new ApiError('invalid', { plan_id: 'unknown_plan' })
      return {
        ...nowhere,
        audience: it.is,
        audienceCreatorId: creator.id,
        audiencePlanId: it.plan_id,
      }
    }
    case 'build':
      return { ...nowhere, audience: it.is, audienceBuild: it.build, audienceWhich: it.which }
    default:
      return { ...nowhere, audience: it.is }
  }
}

async function wordsOf(db: Db, it: NoticeFields): Promise<NoticeWords> {
  return {
    ...(await audienceColumns(db, it.audience)),
    title: it.title,
    body: it.body,
    content: parseNotice(it.body),
    pushes: it.pushes,
    mails: it.mails,
    isAdvertising: it.is_advertising,
    isUrgent: it.is_urgent,
    barUntil: it.bar_until === null ? null : new Date(it.bar_until),
  }
}

/** Stores a draft; one with this id that exists stays as it is. */
export async function addDraft(
  { db, clock, transaction }: Deps,
  by: Actor,
  { id, ...fields }: NoticeFields & { readonly id: string },
): Promise<void> {
  const words = await wordsOf(db, fields)
  const createdAt = new Date(clock())
  await transaction(async ({ tx, audit }) => {
    if (await addNotice(tx, { ...words, id, state: 'draft', createdAt, publishedAt: null }))
      audit({ ...auditOf(by, id), act: 'notice.add' })
  })
}

/** The fields that are fixed once a notice is published. */
const fixed = [
  'audience',
  'audienceCreatorId',
  'audiencePlanId',
  'audienceBuild',
  'audienceWhich',
  'pushes',
  'mails',
  'isAdvertising',
] as const satisfies readonly (keyof NoticeWords)[]

/** Names of the audit log for what a change may touch. */
const named = {
  title: 'title',
  body: 'body',
  isUrgent: 'bar',
  barUntil: 'bar',
  audience: 'audience',
  audienceCreatorId: 'audience',
  audiencePlanId: 'audience',
  audienceBuild: 'audience',
  audienceWhich: 'audience',
  pushes: 'channels',
  mails: 'channels',
  isAdvertising: 'channels',
} as const satisfies Partial<Record<keyof NoticeWords, string>>

/** @throws ApiError `not_found`, `conflict` or `invalid`, as `changeNotice` of the contract says */
export async function changeDraft(
  { db, clock, transaction }: Deps,
  by: Actor,
  noticeId: string,
  { revision, ...fields }: NoticeFields & { readonly revision: number },
): Promise<void> {
  const words = await wordsOf(db, fields)
  await transaction(async ({ tx, audit }) => {
    const before = await lockNotice(tx, noticeId)
    if (!before) throw new ApiError('not_found')
    const scope = changeable(before.state)
    const changed = changedFields(before, words)
    const isFixed = scope === 'words' && fixed.some((it) => changed.includes(it))
    if (before.revision !== revision || scope === 'nothing' || isFixed) throw new ApiError('conflict')
    if (scope === 'words' && words.content.length === 0) throw new ApiError('invalid', { body: 'required' })
    if (changed.length === 0) return
    const isEdit = scope === 'words' && changed.some((it) => it === 'title' || it === 'body')
    await changeNotice(tx, noticeId, { ...words, ...(isEdit && { editedAt: new Date(clock()) }) })
    const names = [...new Set(changed.map((it) => named[it]))].toSorted()
    audit({ ...auditOf(by, noticeId), act: 'notice.change', detail: { fields: names } })
  })
}

type Named = keyof typeof named

function changedFields(before: NoticeRow, words: NoticeWords): Named[] {
  const value = (it: unknown) => (it instanceof Date ? it.getTime() : it)
  return (Object.keys(named) as Named[]).filter((it) => value(before[it]) !== value(words[it]))
}

/** Deletes a draft. @throws ApiError `not_found`, or `conflict` for another state */
export async function removeDraft({ transaction }: Deps, by: Actor, noticeId: string): Promise<void> {
  await transaction(async ({ tx, enqueue, audit }) => {
    const notice = await lockNotice(tx, noticeId)
    if (!notice) throw new ApiError('not_found')
    if (notice.state !== 'draft') throw new ApiError('conflict')
    await removeNotice(tx, noticeId)
    if (notice.pictureId !== null) await enqueue('media.remove', { mediaId: notice.pictureId })
    audit({ ...auditOf(by, noticeId), act: 'notice.remove' })
  })
}

/**
 * Sets or removes the picture of a notice, in a transaction.
 * @returns the picture that it replaces
 * @throws ApiError `not_found`, or `conflict` for a withdrawn notice
 */
export async function setPicture(
  tx: Db,
  noticeId: string,
  pictureId: string | null,
  now: number,
): Promise<string | undefined> {
  const notice = await lockNotice(tx, noticeId)
  if (!notice) throw new ApiError('not_found')
  const scope = changeable(notice.state)
  if (scope === 'nothing') throw new ApiError('conflict')
  // The words are open in an editor: its revision stays valid.
  await advanceNotice(tx, noticeId, { pictureId, ...(scope === 'words' && { editedAt: new Date(now) }) })
  return notice.pictureId ?? undefined
}
