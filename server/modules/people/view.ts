// View of a profile for one viewer.
import { handlesIn } from '#contract/text/mentions.ts'
import type { ProfileView } from '#contract/people/people.ts'
import type { Deps } from '#server/deps.ts'
import type { Reader } from '#server/services/replicas/reads.ts'
import { findHandles } from '#server/store/accounts/handles.ts'
import { countReleased, profileFacts } from '#server/store/people/profile-facts.ts'
import { mentionViews } from '#server/services/posts/mention-views.ts'
import { openPictureOf } from '#server/services/media/picture-sources.ts'
import { planCardOf } from '#server/services/plans/plan-views.ts'
import { personView } from '#server/services/people/person-view.ts'
import { relationView } from '#server/services/people/listed-people.ts'

/**
 * @returns undefined for a person who does not exist, or is hidden from this viewer
 */
export async function viewProfile(
  { db, reads }: Pick<Deps, 'db' | 'reads'>,
  reader: Reader,
  id: string,
  now: number,
): Promise<ProfileView | undefined> {
  const viewerId = reader.viewer?.id
  const [facts, posts] = await Promise.all([
    profileFacts(db, viewerId, id, now),
    reads.number(reader, (either) => countReleased(either, id)),
  ])
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
    cover: cover && openPictureOf(cover),
    post_count: posts,
    follower_count: facts.followers,
    following_count: facts.following,
    count_version: facts.version,
    plans: facts.plans.map((it) => planCardOf(it, now)),
    relation: shownRelation,
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
