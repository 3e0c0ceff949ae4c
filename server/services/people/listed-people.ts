// Views of people in lists, with their biography and relation to the viewer.
import type { ListedPerson, PersonView, RelationView } from '#contract/people/people.ts'
import type { Db } from '#server/store/database.ts'
import { findPeople, type Person } from '#server/store/people/people.ts'
import { type Relation, relationsOf } from '#server/store/people/relations.ts'
import { personView } from './person-view.ts'

/** The relation as shown to the viewer; a block by the other person is not part of it. */
export function relationView({ following, followedBy, muted, blocked }: Relation): RelationView {
  return { following, followed_by: followedBy, muted, blocked }
}

/** These people as the viewer sees them, in the same order. */
export async function viewPeople(db: Db, viewerId: string, ids: readonly string[]): Promise<ListedPerson[]> {
  const people = await findPeople(db, ids)
  const relations = await relationsOf(db, viewerId, ids)
  return ids.flatMap((id) => {
    const person = people.get(id)
    const relation = relations.get(id)
    if (!person || !relation) return []
    return [
      { ...personView(person), bio: person.bio, relation: id === viewerId ? null : relationView(relation) },
    ]
  })
}

/** People of a dated list (such as mutes), in the same order, without those that `isShown` excludes. */
export async function viewPeopleAt(
  db: Db,
  rows: readonly { readonly id: string; readonly at: Date }[],
  isShown: (state: Person['state']) => boolean,
): Promise<{ person: PersonView; at: string }[]> {
  const people = await findPeople(
    db,
    rows.map((row) => row.id),
  )
  return rows.flatMap(({ id, at }) => {
    const person = people.get(id)
    return person && isShown(person.state) ? [{ person: personView(person), at: at.toISOString() }] : []
  })
}
