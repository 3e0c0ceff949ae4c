// How a person looks to others, in a line.
import { MEDIA_PATH } from '#contract/paths.ts'
import type { PersonView } from '#contract/people.ts'
import type { Person } from '#server/store/people.ts'

export function personView({ id, name, handle, avatarId }: Person): PersonView {
  return { id, name, handle, avatar_url: avatarId && `${MEDIA_PATH}/${avatarId}/w480` }
}
