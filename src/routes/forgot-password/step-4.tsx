// /forgot-password/step-4: the new password holds.
import { createFileRoute, Link, redirect } from '@tanstack/react-router'
import { SimpleCard } from '#src/features/sessions/simple-card.tsx'
import { reset } from '#src/lib/account-steps.ts'
import { accountText } from '#src/lib/text-account.ts'
import { buttonClass } from '#src/ui/button.tsx'

const words = accountText.forgot

export const Route = createFileRoute('/forgot-password/step-4')({
  codeSplitGroupings: [['loader', 'component']],
  staticData: { access: 'open', layout: 'simple', title: 'パスワードを変更しました' },
  loader: () => {
    if (reset.read()?.is !== 'done') throw redirect({ to: '/forgot-password/step-1', replace: true })
  },
  component: Step4,
})

function Step4() {
  return (
    <SimpleCard title={words.doneTitle} foot={null}>
      <p className="mb-6">{words.done}</p>
      <Link to="/login" className={buttonClass('seal', 'normal', true)}>
        {words.toLogin}
      </Link>
    </SimpleCard>
  )
}
