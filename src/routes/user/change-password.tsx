// /user/change-password: a new password; every other session of the person ends.
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { changePassword } from '#contract/accounts/password.ts'
import { NewPasswordForm } from '#src/features/accounts/new-password-form.tsx'
import { SimpleCard } from '#src/features/sessions/simple-card.tsx'
import { call } from '#src/domain/api/api.ts'
import { useMember } from '#src/domain/session/session.ts'
import { accountText } from '#src/features/accounts/text.ts'
import { requireValidation } from '#src/domain/session/validation.ts'
import { Cancel } from './-cancel.tsx'
import { Failed } from './-failed.tsx'
import { useValidated } from './-validated.ts'

const words = accountText.password

export const Route = createFileRoute('/user/change-password')({
  codeSplitGroupings: [['loader', 'component'], ['errorComponent']],
  staticData: { access: 'member', layout: 'simple', title: 'パスワードの変更' },
  loader: () => requireValidation('/user/change-password'),
  errorComponent: Failed,
  component: ChangePassword,
})

function ChangePassword() {
  const me = useMember()
  const navigate = useNavigate()
  const validated = useValidated('/user/change-password')
  async function change(password: string) {
    if (!(await validated(() => call(changePassword, { body: { password } })))) return
    await navigate({ to: '/user/completed', search: { what: 'password' }, replace: true })
  }
  return (
    <SimpleCard title={words.title} foot={<Cancel />}>
      <p className="mb-5">{words.hint}</p>
      <NewPasswordForm email={me?.email} onPassword={change} />
    </SimpleCard>
  )
}
