// View of a person: id, name, handle and avatar.
import { facePath } from '#contract/paths.ts'
import type { PersonView } from '#contract/people/people.ts'
import type { Person } from '#server/store/people/people.ts'

export function personView({ id, name, handle, avatarId }: Omit<Person, 'bio' | 'state'>): PersonView {
  return { id, name, handle, avatar_url: avatarId && facePath(avatarId) }
}
