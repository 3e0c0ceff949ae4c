// Views of notices, for staff and for readers.
import type { AudienceBody, NoticeDetail, NoticeRowView } from '#contract/notices/admin-notices.ts'
import type { NoticeView } from '#contract/notices/notices.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { plainTextOf } from '#server/rules/notices/plain-text.ts'
import { type MediaAddress, openAddress, signedAddresses } from '#server/services/media/addresses.ts'
import { findMedia, type MediaRow } from '#server/store/media/media.ts'
import { listReadDays } from '#server/store/notices/marks.ts'
import {
  findNotice,
  type ListedNotice,
  type NoticeRow,
  type ShownNotice,
} from '#server/store/notices/notices.ts'
import { findAudienceCreator } from '#server/store/notices/audience.ts'
import { findPlan } from '#server/store/plans/plans.ts'

const textOf = (at: Date | null): string | null => at?.toISOString() ?? null

/** @param readers people who opened it */
export function rowView(it: ListedNotice['notice'], readers: number): NoticeRowView {
  return {
    id: it.id,
    title: it.title,
    state: it.state,
    audience: it.audience,
    is_urgent: it.isUrgent,
    is_advertising: it.isAdvertising,
    created_at: it.createdAt.toISOString(),
    published_at: textOf(it.publishedAt),
    edited_at: textOf(it.editedAt),
    total: it.total,
    reached: it.reached,
    delivered: it.delivered,
    readers,
  }
}

/** The audience as it was written; one whose creator is deleted has an id that no account has. */
export function audienceView(it: NoticeRow): AudienceBody {
  if (it.audience === 'members')
    return { is: 'members', creator: it.audienceCreatorId ?? it.id, plan_id: it.audiencePlanId }
  if (it.audience === 'build')
    return { is: 'build', build: it.audienceBuild ?? '000000000000', which: it.audienceWhich ?? 'older' }
  return { is: it.audience }
}

/** Widest picture of a notice, px: the column of a page on the sharpest screens. */
const WIDTH = 960

function pictureOf(row: MediaRow | undefined, address: MediaAddress) {
  if (row?.state !== 'ready' || row.width === null || row.height === null) return null
  const width = row.made.widths.findLast((it) => it <= WIDTH) ?? row.made.widths[0]
  if (width === undefined) return null
  return { url: address(row.id, `w${width}`), width: row.width, height: row.height }
}

const mediaOf = async ({ db }: Pick<Deps, 'db'>, it: NoticeRow) =>
  it.pictureId === null ? undefined : findMedia(db, it.pictureId)

/**
 * A notice with everything that staff see of it. Its picture has an address of the caller alone.
 * @throws ApiError `not_found`
 */
export async function detailOf(deps: Deps, viewerId: string, noticeId: string): Promise<NoticeDetail> {
  const { db, secrets, clock } = deps
  const it = await findNotice(db, noticeId)
  if (!it) throw new ApiError('not_found')
  const days = await listReadDays(db, noticeId)
  const media = await mediaOf(deps, it)
  const creator =
    it.audienceCreatorId === null ? undefined : await findAudienceCreator(db, { id: it.audienceCreatorId })
  const plan = await findPlan(db, it.audiencePlanId)
  const readers = days.reduce((sum, day) => sum + day.readers, 0)
  return {
    ...rowView(it, readers),
    body: it.body,
    content: it.content,
    audience: audienceView(it),
    audience_names: { creator: creator?.name ?? null, plan: plan?.name ?? null },
    pushes: it.pushes,
    mails: it.mails,
    bar_until: textOf(it.barUntil),
    picture: pictureOf(media, signedAddresses(secrets, viewerId, clock())),
    picture_state: media?.state ?? 'none',
    revision: it.revision,
    readers_by_day: days,
  }
}

/** A notice as its readers see it. */
export async function noticeView(deps: Pick<Deps, 'db'>, it: ShownNotice): Promise<NoticeView> {
  return {
    id: it.id,
    title: it.title,
    body: plainTextOf(it.content),
    content: it.content,
    picture: pictureOf(await mediaOf(deps, it), openAddress),
    is_advertising: it.isAdvertising,
    published_at: it.publishedAt.toISOString(),
    edited_at: textOf(it.editedAt),
  }
}
