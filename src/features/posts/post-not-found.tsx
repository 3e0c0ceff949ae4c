// PostNotFound: shown for a post that does not exist for this viewer.
import { postText as words } from './text.ts'
import { text } from '#src/domain/text/text.ts'
import { LostState } from '#src/ui/states/lost-state.tsx'

export function PostNotFound() {
  return (
    <LostState
      heading="h1"
      title={words.notFound}
      text={words.notFoundText}
      link={{ to: '/', label: text.home }}
    />
  )
}
