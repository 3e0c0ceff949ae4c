// /user/completed-identity: shown after an identity check was queued.
import { createFileRoute, Link } from '@tanstack/react-router'
import { SimpleCard } from '#src/features/sessions/simple-card.tsx'
import { identityText } from '#src/domain/identity/text.ts'
import { buttonClass } from '#src/ui/button.tsx'

export const Route = createFileRoute('/user/completed-identity')({
  staticData: { access: 'member', layout: 'simple', title: '提出の受付' },
  component: Page,
})

const words = identityText.completed

function Page() {
  return (
    <SimpleCard
      title={words.title}
      foot={
        <Link to="/" className={buttonClass('quiet', 'normal', true)}>
          {words.home}
        </Link>
      }
    >
      <p className="text-read">{words.about}</p>
      <Link to="/user/verification" className={`${buttonClass('ink', 'normal', true)} mt-6`}>
        {words.see}
      </Link>
    </SimpleCard>
  )
}
