// /user/password-validation: validates the password and returns to the page before.
import { createFileRoute, Link, useRouter } from '@tanstack/react-router'
import * as v from 'valibot'
import { ValidationForm } from '#src/features/accounts/validation-form.tsx'
import { PasskeyValidation } from '#src/features/passkeys/passkey-validation.tsx'
import { SimpleCard } from '#src/features/sessions/simple-card.tsx'
import { useMember } from '#src/domain/session/session.ts'
import { accountText } from '#src/features/accounts/text.ts'
import { returnPath } from '#src/domain/session/wanted-path.ts'
import { linkClass } from '#src/ui/text/link-class.ts'
import { Cancel } from './-cancel.tsx'

export const Route = createFileRoute('/user/password-validation')({
  staticData: { access: 'member', layout: 'simple', title: 'パスワードの確認', whileLeaving: true },
  validateSearch: v.object({ to: v.optional(v.fallback(v.string(), '/')) }),
  component: PasswordValidation,
})

function PasswordValidation() {
  const { to } = Route.useSearch()
  const me = useMember()
  const router = useRouter()
  if (!me) return null
  const goOn = () => router.navigate({ href: returnPath(to), replace: true })
  return (
    <SimpleCard title={accountText.validate.title} foot={<Cancel />}>
      <ValidationForm email={me.email} onValidated={goOn} />
      <PasskeyValidation onValidated={() => void goOn()} />
      <p className="mt-3 text-center">
        <Link to="/forgot-password/step-1" className={linkClass}>
          {accountText.forgot.link}
        </Link>
      </p>
    </SimpleCard>
  )
}
