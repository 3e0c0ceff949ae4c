// Recipients of notifications: whether a person may get one, and by which channels.
import { and, asc, eq, gt, inArray, or, type SQL, sql } from 'drizzle-orm'
import { notBlocked } from '#server/store/people/blocks.ts'
import type { Db } from '#server/store/database.ts'
import { notMuted } from '#server/store/people/mutes.ts'
import { isPresent } from '#server/store/people/people.ts'
import { defaultChannels, type NotificationChannels } from '#server/store/accounts/settings.ts'
import { statement } from '#server/store/statement.ts'
import { pushSubscriptions } from '#server/store/tables/notifications.ts'
import { follows, users } from '#server/store/tables/people.ts'
import { joinedNow, opensReleased, planGrants } from '#server/store/plans/plans.ts'
import { notificationSettings, userSettings } from '#server/store/tables/settings.ts'

export interface Recipient {
  readonly id: string
  readonly channels: NotificationChannels
  /** Whether one of their devices has a push subscription. */
  readonly hasDevice: boolean
}

const channels = {
  inApp: sql<boolean>`coalesce(${notificationSettings.inApp}, ${defaultChannels.inApp})`,
  push: sql<boolean>`coalesce(${notificationSettings.push}, ${defaultChannels.push})`,
  mail: sql<boolean>`coalesce(${notificationSettings.mail}, ${defaultChannels.mail})`,
}
const hasDevice = sql<boolean>`exists (select 1 from ${pushSubscriptions} where ${pushSubscriptions.userId} = ${users.id})`

const settingOf = (code: string | SQL) =>
  and(eq(notificationSettings.userId, users.id), sql`${notificationSettings.settingCd} = ${code}`)

interface RecipientQuery {
  readonly user: string
  readonly by: string | null
  readonly code: string
}

interface RecipientRow extends NotificationChannels {
  readonly id: string
  readonly hasDevice: boolean
}

const recipientById = statement<RecipientQuery, RecipientRow>(
  { user: 'uuid', by: 'uuid', code: 'text' },
  (it) => {
    const id = sql`users.id`
    const by = it('by')
    const channel = (name: string, otherwise: boolean) => sql.raw(`coalesce(chosen.${name}, ${otherwise})`)
    return sql`
    select users.id, ${channel('in_app', defaultChannels.inApp)} as "inApp", ${channel('push', defaultChannels.push)} as push,
      ${channel('mail', defaultChannels.mail)} as mail,
      exists (select 1 from push_subscriptions where push_subscriptions.user_id = users.id) as "hasDevice"
    from users
    left join notification_settings chosen on chosen.user_id = users.id and chosen.setting_cd = ${it('code')}
    where users.id = ${it('user')} and ${isPresent(id)}
      and (${by} is null or (${notBlocked(id, by)} and ${notMuted(id, by)}))`
  },
)

/**
 * The person, unless suspended, leaving, blocked in either direction, or muting the actor `by`.
 * @param by null for an event without an actor
 */
export async function findRecipient(
  db: Db,
  userId: string,
  by: string | null,
  code: string,
): Promise<Recipient | undefined> {
  const [row] = await recipientById(db, { user: userId, by, code })
  return row && recipientOf(row)
}

const recipientOf = ({
  id,
  inApp,
  push,
  mail,
  hasDevice: has,
}: NotificationChannels & { id: string; hasDevice: boolean }): Recipient => ({
  id,
  channels: { inApp, push, mail },
  hasDevice: has,
})

export interface Follower extends Recipient {
  readonly birthDate: string
  readonly showsAgeLimited: boolean
  /** Whether they are a member of a plan that opens the post. */
  readonly isMember: boolean
}

/**
 * A batch of a post's followers (of its author) and members (of plans that open it), in the order of their ids; without
 * people who are suspended, leaving, blocked in either direction, or muting the author.
 * @returns up to `limit` recipients, and the id of the last person read
 */
export async function listFollowersAfter(
  db: Db,
  post: { readonly authorId: string; readonly planIds: readonly string[]; readonly releasedAt: Date },
  after: string | null,
  now: number,
  limit: number,
): Promise<{ recipients: Follower[]; last: string | null }> {
  const author = sql`${post.authorId}::uuid`
  const opened = opensReleased(sql`${post.releasedAt.toISOString()}::timestamptz`)
  const membership =
    post.planIds.length === 0
      ? sql`false`
      : sql`exists (select 1 from ${planGrants} as g where ${inArray(sql`g.plan_id`, [...post.planIds])} and ${joinedNow(sql`${users.id}`, now)} and ${opened})`
  const following = sql`exists (select 1 from ${follows} where ${follows.followerId} = ${users.id} and ${follows.followedId} = ${author})`
  const batch = await batchOf(db, post, after, limit)
  const ids = batch.map((it) => it.id)
  if (ids.length === 0) return { recipients: [], last: null }
  const isMember = sql<boolean>`${membership}`
  const rows = await db
    .select({
      id: users.id,
      ...channels,
      hasDevice,
      birthDate: users.birthDate,
      showsAgeLimited: sql<boolean>`coalesce(${userSettings.showsAgeLimited}, false)`,
      isMember,
    })
    .from(users)
    .leftJoin(notificationSettings, settingOf(sql`case when ${membership} then 'plan_post' else 'post' end`))
    .leftJoin(userSettings, eq(userSettings.userId, users.id))
    .where(
      and(
        inArray(users.id, ids),
        or(following, membership),
        isPresent(users.id),
        notBlocked(sql`${users.id}`, author),
        notMuted(sql`${users.id}`, author),
      ),
    )
  const people = rows.map(({ birthDate, showsAgeLimited, isMember: member, ...row }) => ({
    ...recipientOf(row),
    birthDate,
    showsAgeLimited,
    isMember: member,
  }))
  return { recipients: people, last: ids.length < limit ? null : (ids.at(-1) ?? null) }
}

/** Ids of followers and members, in order; includes members whose membership has ended. */
async function batchOf(
  db: Db,
  post: { readonly authorId: string; readonly planIds: readonly string[] },
  after: string | null,
  limit: number,
): Promise<{ id: string }[]> {
  const followers = db
    .select({ id: sql<string>`${follows.followerId}`.as('id') })
    .from(follows)
    .where(
      and(eq(follows.followedId, post.authorId), after === null ? undefined : gt(follows.followerId, after)),
    )
  if (post.planIds.length === 0) return followers.orderBy(asc(follows.followerId)).limit(limit)
  const members = db
    .select({ id: sql<string>`g.user_id`.as('id') })
    .from(sql`${planGrants} as g`)
    .where(
      and(inArray(sql`g.plan_id`, [...post.planIds]), after === null ? undefined : gt(sql`g.user_id`, after)),
    )
  return followers
    .union(members)
    .orderBy(sql`id`)
    .limit(limit)
}
