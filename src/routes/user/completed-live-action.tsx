// /user/completed-live-action: shown after the recording, before the review.
import { createFileRoute, Link } from '@tanstack/react-router'
import { SimpleCard } from '#src/features/sessions/simple-card.tsx'
import { identityText } from '#src/domain/identity/text.ts'
import { buttonClass } from '#src/ui/button.tsx'

export const Route = createFileRoute('/user/completed-live-action')({
  staticData: { access: 'member', layout: 'simple', title: '顔の動画' },
  component: Page,
})

const words = identityText.recorded

function Page() {
  return (
    <SimpleCard
      title={words.title}
      foot={
        <Link to="/user/verification" className={buttonClass('quiet', 'normal', true)}>
          {identityText.completed.see}
        </Link>
      }
    >
      <p className="text-read">{words.about}</p>
      <Link
        to="/user/verify-identity"
        search={{ step: 'confirm' }}
        className={`${buttonClass('seal', 'normal', true)} mt-6`}
      >
        {words.next}
      </Link>
    </SimpleCard>
  )
}
