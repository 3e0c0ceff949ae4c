// /user/completed: confirms a changed email address or password.
import { createFileRoute, Link } from '@tanstack/react-router'
import * as v from 'valibot'
import { SimpleCard } from '#src/features/sessions/simple-card.tsx'
import { accountText } from '#src/features/accounts/text.ts'
import { buttonClass } from '#src/ui/button.tsx'

const words = accountText.changed

export const Route = createFileRoute('/user/completed')({
  staticData: { access: 'member', layout: 'simple', title: '変更が完了しました' },
  validateSearch: v.object({ what: v.fallback(v.optional(v.picklist(['email', 'password'])), undefined) }),
  component: Completed,
})

function Completed() {
  const { what } = Route.useSearch()
  return (
    <SimpleCard title={words.title} foot={null}>
      {what && <p className="mb-6">{words[what]}</p>}
      <Link to="/" className={buttonClass('seal', 'normal', true)}>
        {words.home}
      </Link>
    </SimpleCard>
  )
}
