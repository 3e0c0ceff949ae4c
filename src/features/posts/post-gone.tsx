// PostGone: a post that is not there, or not there for this viewer.
import { postText as words } from '#src/lib/text-post.ts'
import { text } from '#src/lib/text.ts'
import { LostState } from '#src/ui/lost-state.tsx'

export function PostGone() {
  return (
    <LostState heading="h1" title={words.gone} text={words.goneText} way={{ to: '/', label: text.home }} />
  )
}
