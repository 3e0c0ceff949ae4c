// Gone: somebody who is not there, or not there for this viewer.
import { text } from '#src/lib/text.ts'
import { peopleText as words } from '#src/lib/text-people.ts'
import { LostState } from '#src/ui/lost-state.tsx'

export function Gone() {
  return (
    <LostState heading="h1" title={words.gone} text={words.goneText} way={{ to: '/', label: text.home }} />
  )
}
