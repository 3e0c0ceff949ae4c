// The relation of a person to another one, as far as messages depend on it.
import { sql } from 'drizzle-orm'
import type { MessageFrom } from '#contract/accounts/settings.ts'
import { privacyDefaults } from '#server/store/accounts/settings.ts'
import type { Db } from '#server/store/database.ts'
import { type JsonRow, jsonOf, rowOf } from '#server/store/json-rows.ts'
import { notBlocked } from '#server/store/people/blocks.ts'
import { isPresent } from '#server/store/people/people.ts'
import { joinedNow, planGrants } from '#server/store/plans/plans.ts'
import { dateOrNull, momentOf, statement } from '#server/store/statement.ts'
import { conversationMembers, conversations } from '#server/store/tables/messages.ts'
import { follows } from '#server/store/tables/people.ts'
import { plans } from '#server/store/tables/plans.ts'

export type MemberRow = typeof conversationMembers.$inferSelect

export interface Conversation {
  readonly id: string
  readonly lastSeq: number
  readonly lastChange: number
  readonly mine: MemberRow
  readonly theirs: MemberRow
}

/** The relation of one person (`mine`) to another one (`theirs`). */
export interface Contact {
  readonly arePresent: boolean
  readonly isBlocked: boolean
  /** The other person's setting. */
  readonly messageFrom: MessageFrom
  /** The other person follows the first one. */
  readonly isFollowed: boolean
  /** The first person is a member of a plan of the other one. */
  readonly isPlanMember: boolean
  readonly bothSendMarks: boolean
  readonly bothShowPresence: boolean
  /** When a page of the other person was last connected; null unless they show it. */
  readonly seenAt: Date | null
  /** Null before the first message. */
  readonly conversation: Conversation | null
}

/** The ids of two people as the value of `pair`. */
export const pairOf = (one: string, other: string): string => [one, other].sort().join(':')

const ids = statement<{ pair: string }, { readonly id: string }>(
  { pair: 'text' },
  (param) => sql`select c.id from ${conversations} as c where c.pair = ${param('pair')}`,
)

/** @returns the id of the conversation of two people; null before the first message */
export async function conversationIdOf(db: Db, one: string, other: string): Promise<string | null> {
  return (await ids(db, { pair: pairOf(one, other) }))[0]?.id ?? null
}

interface Asked {
  readonly mine: string
  readonly theirs: string
  readonly pair: string
  readonly now: string
}

interface ContactRow extends Omit<Contact, 'conversation' | 'seenAt'> {
  readonly seenAt: string | null
  readonly id: string | null
  readonly lastSeq: number
  readonly lastChange: number
  readonly mine: JsonRow<typeof conversationMembers>
  readonly theirs: JsonRow<typeof conversationMembers>
}

const contacts = statement<Asked, ContactRow>(
  { mine: 'uuid', theirs: 'uuid', pair: 'text', now: 'timestamptz' },
  (param) => {
    const [mine, theirs] = [param('mine'), param('theirs')]
    const from = sql.raw(`'${privacyDefaults.messageFrom}'`)
    const marks = sql.raw(String(privacyDefaults.sendsReadMarks))
    const presence = sql.raw(String(privacyDefaults.showsPresence))
    return sql`select ${isPresent(mine)} and ${isPresent(theirs)} as "arePresent", not ${notBlocked(mine, theirs)} as "isBlocked",
      coalesce(their_settings.message_from, ${from}) as "messageFrom",
      coalesce(my_settings.sends_read_marks, ${marks}) and coalesce(their_settings.sends_read_marks, ${marks}) as "bothSendMarks",
      coalesce(my_settings.shows_presence, ${presence}) and coalesce(their_settings.shows_presence, ${presence}) as "bothShowPresence",
      their_settings.seen_at as "seenAt",
      exists (select 1 from ${follows} as f where f.follower_id = ${theirs} and f.followed_id = ${mine}) as "isFollowed",
      exists (select 1 from ${planGrants} as g join ${plans} on ${plans.id} = g.plan_id
        where ${joinedNow(mine, param('now'))} and ${plans.creatorId} = ${theirs}) as "isPlanMember",
      c.id, c.last_seq as "lastSeq", c.last_change as "lastChange",
      ${jsonOf(conversationMembers, 'me')} as mine, ${jsonOf(conversationMembers, 'other')} as theirs
    from users u
    left join user_settings my_settings on my_settings.user_id = ${mine}
    left join user_settings their_settings on their_settings.user_id = u.id
    left join ${conversations} as c on c.pair = ${param('pair')}
    left join ${conversationMembers} as me on me.conversation_id = c.id and me.user_id = ${mine}
    left join ${conversationMembers} as other on other.conversation_id = c.id and other.user_id = ${theirs}
    where u.id = ${theirs}`
  },
)

/** @returns undefined when the other person has never existed */
export async function contactOf(
  db: Db,
  mine: string,
  theirs: string,
  now: number,
): Promise<Contact | undefined> {
  const [row] = await contacts(db, { mine, theirs, pair: pairOf(mine, theirs), now: momentOf(now) })
  if (!row) return undefined
  const { id, lastSeq, lastChange, mine: me, theirs: other, seenAt, ...rest } = row
  const relation = { ...rest, seenAt: dateOrNull(seenAt) }
  if (id === null) return { ...relation, conversation: null }
  const sides = { mine: rowOf(conversationMembers, me), theirs: rowOf(conversationMembers, other) }
  return { ...relation, conversation: { id, lastSeq, lastChange, ...sides } }
}

/** Whether a conversation in this state is in the member's inbox, and its other person sees that they take part. */
export const takesPart = ({ state }: Pick<MemberRow, 'state'>): boolean =>
  state === 'received' || state === 'accepted'
