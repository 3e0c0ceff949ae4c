// The failure of the pages of notices, and how staff confirm who they are.
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { ValidationForm } from '#src/features/accounts/validation-form.tsx'
import { PasskeyValidation } from '#src/features/passkeys/passkey-validation.tsx'
import { LoadFailure } from '#src/features/shell/load-failure.tsx'
import { useMember } from '#src/domain/session/session.ts'

export function Failed({ error }: ErrorComponentProps) {
  const router = useRouter()
  return <LoadFailure error={error} onRetry={() => router.invalidate()} />
}

/** The password, or a passkey. */
export function Confirmation({ onConfirmed }: { onConfirmed: () => void }) {
  const me = useMember()
  return (
    me && (
      <>
        <ValidationForm email={me.email} onValidated={async () => onConfirmed()} />
        <PasskeyValidation onValidated={onConfirmed} />
      </>
    )
  )
}
