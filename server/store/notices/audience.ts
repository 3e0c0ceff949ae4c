// The audience of a notice: counts it, lists it in batches, finds one person.
import { and, asc, eq, gt, isNull, type SQL, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import type { Recipient } from '#server/store/notifications/recipients.ts'
import { defaultChannels } from '#server/store/accounts/settings.ts'
import { isPresent } from '#server/store/people/people.ts'
import { joinedNow, planGrants } from '#server/store/plans/plans.ts'
import { momentOf } from '#server/store/statement.ts'
import { advertisingConsents, notifications, pushSubscriptions } from '#server/store/tables/notifications.ts'
import { sessions, users } from '#server/store/tables/people.ts'
import { plans } from '#server/store/tables/plans.ts'
import { posts } from '#server/store/tables/posts.ts'
import { notificationSettings } from '#server/store/tables/settings.ts'
import type { NoticeRow } from './notices.ts'

/** The columns that decide who gets a notice. */
export type AudienceColumns = Pick<
  NoticeRow,
  'audience' | 'audienceCreatorId' | 'audiencePlanId' | 'audienceBuild' | 'audienceWhich'
>

const hasPosted = sql`exists (select 1 from ${posts} where ${posts.authorId} = ${users.id} and ${posts.releasedAt} is not null and ${posts.deletedAt} is null)`

/** For a where clause over people: they are of the audience at this moment. */
function isOf(it: AudienceColumns, now: number): SQL {
  const moment = sql`${momentOf(now)}::timestamptz`
  switch (it.audience) {
    case 'all':
      return sql`true`
    case 'creators':
      return hasPosted
    case 'staff':
      return sql`${users.role} <> 'member'`
    case 'members': {
      if (it.audienceCreatorId === null) return sql`false`
      const ofPlan = it.audiencePlanId === null ? sql`true` : sql`${plans.id} = ${it.audiencePlanId}::uuid`
      return sql`exists (select 1 from ${planGrants} as g join ${plans} on ${plans.id} = g.plan_id
        where ${joinedNow(sql`${users.id}`, moment)} and ${plans.creatorId} = ${it.audienceCreatorId}::uuid and ${ofPlan})`
    }
    case 'build': {
      // A session that has named no build is of a page from before builds were named.
      const which =
        it.audienceWhich === 'same'
          ? sql`${sessions.build} = ${it.audienceBuild}`
          : sql`coalesce(${sessions.build}, '') < ${it.audienceBuild}`
      return sql`exists (select 1 from ${sessions} where ${sessions.userId} = ${users.id} and ${sessions.expiresAt} > ${moment} and ${which})`
    }
    default:
      return it.audience satisfies never
  }
}

/** Whether a person has a consent to advertising, which they have not withdrawn. */
const isConsenting = sql<boolean>`exists (select 1 from ${advertisingConsents} where ${advertisingConsents.userId} = ${users.id} and ${advertisingConsents.withdrawnAt} is null)`

/** How many present people an audience has, and how many of them consent to advertising. */
export async function countAudience(
  db: Db,
  audience: AudienceColumns,
  now: number,
): Promise<{ people: number; consenting: number }> {
  const [row] = await db
    .select({
      people: sql<number>`count(*)::int`,
      consenting: sql<number>`(count(*) filter (where ${isConsenting}))::int`,
    })
    .from(users)
    .where(and(isPresent(users.id), isOf(audience, now)))
  return row ?? { people: 0, consenting: 0 }
}

export interface NoticeRecipient extends Recipient {
  readonly consents: boolean
}

/**
 * A batch of the people of an audience, in the order of their ids.
 * @returns up to `limit` recipients, and the id of the last person read; null at the end
 */
export async function listAudienceAfter(
  db: Db,
  audience: AudienceColumns,
  after: string | null,
  limit: number,
  now: number,
): Promise<{ recipients: NoticeRecipient[]; last: string | null }> {
  const rows = await db
    .select({
      id: users.id,
      push: sql<boolean>`coalesce(${notificationSettings.push}, ${defaultChannels.push})`,
      mail: sql<boolean>`coalesce(${notificationSettings.mail}, ${defaultChannels.mail})`,
      hasDevice: sql<boolean>`exists (select 1 from ${pushSubscriptions} where ${pushSubscriptions.userId} = ${users.id})`,
      consents: isConsenting,
    })
    .from(users)
    .leftJoin(
      notificationSettings,
      and(eq(notificationSettings.userId, users.id), eq(notificationSettings.settingCd, 'notice')),
    )
    .where(and(after === null ? undefined : gt(users.id, after), isPresent(users.id), isOf(audience, now)))
    .orderBy(asc(users.id))
    .limit(limit)
  const recipients = rows.map(({ id, push, mail, hasDevice, consents }) => ({
    id,
    // The list of the app has every notice: a person cannot miss what the operator has to tell.
    channels: { inApp: true, push, mail },
    hasDevice,
    consents,
  }))
  return { recipients, last: rows.length < limit ? null : (rows.at(-1)?.id ?? null) }
}

/** Whether a person is of the audience, or got the notice while they were. */
export async function isReader(db: Db, notice: NoticeRow, userId: string, now: number): Promise<boolean> {
  const got = sql`exists (select 1 from ${notifications} where ${notifications.userId} = ${users.id} and ${notifications.groupKey} = ${`notice:${notice.id}`})`
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.deletedAt), sql`(${isOf(notice, now)} or ${got})`))
  return rows.length > 0
}

/** Builds that sessions have named last, the newest first, with the number of their people. */
export function listUsedBuilds(
  db: Db,
  now: number,
  limit: number,
): Promise<{ build: string; people: number }[]> {
  return db
    .select({
      build: sql<string>`${sessions.build}`,
      people: sql<number>`count(distinct ${sessions.userId})::int`,
    })
    .from(sessions)
    .where(and(sql`${sessions.build} is not null`, gt(sessions.expiresAt, new Date(now))))
    .groupBy(sessions.build)
    .orderBy(sql`${sessions.build} desc`)
    .limit(limit)
}

/** The creator of an audience by id or handle; undefined for an account that is gone. */
export async function findAudienceCreator(
  db: Db,
  named: { readonly id: string } | { readonly handle: string },
): Promise<{ id: string; name: string } | undefined> {
  const is = 'id' in named ? eq(users.id, named.id) : eq(users.handle, named.handle)
  const rows = await db
    .select({ id: users.id, name: users.name })
    .from(users)
    .where(and(is, isNull(users.deletedAt)))
  return rows[0]
}
