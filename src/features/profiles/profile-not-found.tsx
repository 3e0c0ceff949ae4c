// ProfileNotFound: a person who does not exist, or is hidden from this viewer.
import { useCanGoBack, useRouter } from '@tanstack/react-router'
import { text } from '#src/domain/text/text.ts'
import { peopleText as words } from '#src/domain/people/text.ts'
import { Button } from '#src/ui/button.tsx'
import { LostState } from '#src/ui/states/lost-state.tsx'

/** @param withBack the surrounding layout has no back button */
export function ProfileNotFound({ withBack = true }: { withBack?: boolean }) {
  const router = useRouter()
  const canGoBack = useCanGoBack()
  return (
    <LostState
      heading="h1"
      title={words.notFound}
      text={words.notFoundText}
      action={withBack && canGoBack && <Button onClick={() => router.history.back()}>{text.back}</Button>}
      link={{ to: '/', label: text.home }}
    />
  )
}
