// The people and posts of one story.
import { newId } from '#contract/ids.ts'
import { hashToken, newToken } from '#server/services/auth/authenticate.ts'
import { addSession } from '#server/store/accounts/sessions.ts'
import { addUser } from '#server/store/people/people.ts'
import { addPostOnce } from '#server/store/posts/posts.ts'
import { identify, type Member } from '#server/testing/people/members.ts'
import type { World } from '#server/testing/world.ts'

/** Birth date of everyone in a story. */
export const BIRTH_DATE = '1990-04-01'

/** What the creator did with a post. */
export interface Offer {
  readonly id: string
  /** Whole yen; null while the post is open to all. */
  price: number | null
  isDeleted: boolean
  /** When staff removed it, ms since 1970; null while it is there. */
  removedAt: number | null
}

export interface Fan {
  readonly member: Member
  /** Whether the fan has blocked the creator, and the reverse. */
  blocks: boolean
  isBlocked: boolean
}

export interface Cast {
  readonly creator: Member
  /** Two people who may act about money. */
  readonly staff: readonly [Member, Member]
  readonly fans: readonly Fan[]
  readonly offers: readonly Offer[]
}

const PRICES = [500, 999] as const

/** Adds a person with a session, by fewer statements than `signUp`: no password, and no row of the search. */
export async function addMember({ deps, clock }: World): Promise<Member> {
  const [id, token] = [newId(), newToken()]
  const email = `${id}@example.com`
  const fixed = { passwordHash: 'none', name: 'ユーザー', birthDate: BIRTH_DATE }
  await addUser(deps.db, { ...fixed, id, email, createdAt: new Date(clock.now) })
  await addSession(deps.db, { tokenHash: hashToken(token), userId: id }, clock.now)
  return { id, email, token, auth: { authorization: `Bearer ${token}` } }
}

async function addOffer(world: World, creator: Member, price: number): Promise<Offer> {
  const { deps, database, clock } = world
  const id = newId()
  const fixed = { idempotencyKey: null, type: 3, content: '有料', isAgeLimited: false } as const
  await addPostOnce(deps.db, { ...fixed, id, authorId: creator.id, price }, clock.now)
  await database.executeSql('update posts set released_at = $2 where id = $1', [
    id,
    new Date(clock.now).toISOString(),
  ])
  return { id, price, isDeleted: false, removedAt: null }
}

async function addStaff(world: World): Promise<Member> {
  const member = await addMember(world)
  await world.database.executeSql(`update users set role = 'finance' where id = $1`, [member.id])
  return member
}

export async function castOf(world: World): Promise<Cast> {
  const fans: Fan[] = []
  const creator = await identify(world, await addMember(world))
  for (let n = 0; n < 2; n++) fans.push({ member: await addMember(world), blocks: false, isBlocked: false })
  const offers: Offer[] = []
  for (const price of PRICES) offers.push(await addOffer(world, creator, price))
  const staff = [await addStaff(world), await addStaff(world)] as const
  return { creator, staff, fans, offers }
}
