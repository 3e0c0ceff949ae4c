// Gone: a person who does not exist, or is hidden from this viewer.
import { useCanGoBack, useRouter } from '@tanstack/react-router'
import { text } from '#src/domain/text/text.ts'
import { peopleText as words } from '#src/domain/people/text.ts'
import { Button } from '#src/ui/button.tsx'
import { LostState } from '#src/ui/states/lost-state.tsx'

/** `withBack`: the layout around it has no button that leads back. */
export function Gone({ withBack = true }: { withBack?: boolean }) {
  const router = useRouter()
  const canGoBack = useCanGoBack()
  return (
    <LostState
      heading="h1"
      title={words.gone}
      text={words.goneText}
      action={withBack && canGoBack && <Button onClick={() => router.history.back()}>{text.back}</Button>}
      way={{ to: '/', label: text.home }}
    />
  )
}
