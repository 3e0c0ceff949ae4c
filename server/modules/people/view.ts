// View of a profile for one viewer.
import { handlesIn } from '#contract/text/mentions.ts'
import type { CoverView, ProfileView } from '#contract/people/people.ts'
import { MEDIA_PATH } from '#contract/paths.ts'
import type { Db } from '#server/store/database.ts'
import { findHandles } from '#server/store/accounts/handles.ts'
import { type ProfileFacts, profileFacts } from '#server/store/people/profile-facts.ts'
import { mentionViews } from '#server/services/posts/mention-views.ts'
import { sourcesOf } from '#server/services/media/picture-sources.ts'
import { personView } from '#server/services/people/person-view.ts'
import { relationView } from '#server/services/people/listed-people.ts'

/**
 * @returns undefined for a person who does not exist, or is hidden from this viewer
 */
export async function viewProfile(
  db: Db,
  viewerId: string | undefined,
  id: string,
): Promise<ProfileView | undefined> {
  const facts = await profileFacts(db, viewerId, id)
  if (facts?.person.state !== 'present' || facts.relation.blockedBy) return undefined
  const { person, links, cover, relation } = facts
  const isOther = viewerId !== undefined && viewerId !== id
  const shownRelation = isOther ? relationView(relation) : null
  if (relation.blocked) return { ...personView(person), ...emptyProfile, relation: shownRelation }
  return {
    ...personView(person),
    bio: person.bio,
    mentions: mentionViews(person.bio, await findHandles(db, handlesIn(person.bio))),
    links: [...links],
    cover: cover && coverView(cover),
    post_count: facts.posts,
    follower_count: facts.followers,
    following_count: facts.following,
    plans: [...facts.plans],
    relation: shownRelation,
  }
}

function coverView({ id, width, made }: NonNullable<ProfileFacts['cover']>): CoverView {
  return {
    sources: sourcesOf(made, width, (name) => `${MEDIA_PATH}/${id}/${name}`),
    ...(made.hash !== undefined && { placeholder: made.hash }),
  }
}

/** The profile of a person whom the viewer has blocked. */
const emptyProfile = {
  bio: '',
  mentions: [],
  links: [],
  cover: null,
  post_count: 0,
  follower_count: 0,
  following_count: 0,
  plans: [],
}
