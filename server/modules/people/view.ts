// How a profile looks to its viewer.
import { handlesIn } from '#contract/mentions.ts'
import type { ProfileView } from '#contract/people.ts'
import { MEDIA_PATH } from '#contract/paths.ts'
import type { Db } from '#server/store/database.ts'
import { followCountsOf } from '#server/store/follows.ts'
import { findHandles } from '#server/store/handles.ts'
import { countPosts, findPeople, findPicture, findUser } from '#server/store/people.ts'
import { listPlansOf } from '#server/store/plans.ts'
import { relationsOf } from '#server/store/relations.ts'
import { mentionViews } from '#server/views/mention-views.ts'
import { personView } from '#server/views/person-view.ts'
import { relationView } from '#server/views/listed-people.ts'

/** @returns undefined for somebody who is not there, or not there for this viewer */
export async function viewProfile(
  db: Db,
  viewerId: string | undefined,
  id: string,
): Promise<ProfileView | undefined> {
  const person = (await findPeople(db, [id])).get(id)
  const user = await findUser(db, id)
  if (person?.state !== 'present' || !user) return undefined
  const others = viewerId !== undefined && viewerId !== id
  const relation = others ? (await relationsOf(db, viewerId, [id])).get(id) : undefined
  if (relation?.blockedBy) return undefined
  const between = relation ? relationView(relation) : null
  if (relation?.blocked) return { ...personView(person), ...nothing, relation: between }
  const cover = await findPicture(db, id, 'cover')
  const counts = await followCountsOf(db, id)
  const plans = await listPlansOf(db, id)
  return {
    ...personView(person),
    bio: user.bio,
    mentions: mentionViews(user.bio, await findHandles(db, handlesIn(user.bio))),
    links: [...user.links],
    cover_url: cover && `${MEDIA_PATH}/${cover}/w960`,
    post_count: await countPosts(db, id),
    follower_count: counts.followers,
    following_count: counts.following,
    plans: plans.map(({ id: planId, name, price }) => ({ id: planId, name, price })),
    relation: between,
  }
}

const nothing = {
  bio: '',
  mentions: [],
  links: [],
  cover_url: null,
  post_count: 0,
  follower_count: 0,
  following_count: 0,
  plans: [],
}
