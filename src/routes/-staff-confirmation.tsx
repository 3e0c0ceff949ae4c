// StaffConfirmation: the ways in which staff confirm who they are, the password or a passkey.
import { useMember } from '#src/domain/session/session.ts'
import { ValidationForm } from '#src/features/accounts/validation-form.tsx'
import { PasskeyValidation } from '#src/features/passkeys/passkey-validation.tsx'

export function StaffConfirmation({ onConfirmed }: { onConfirmed: () => void }) {
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
