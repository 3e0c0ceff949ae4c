// Parts of the pages of staff: who may open them, and their confirmation.
import { useQuery } from '@tanstack/react-query'
import { notFound, useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type Area, mayUse } from '#contract/administration/areas.ts'
import type { StaffRole } from '#contract/administration/role-names.ts'
import { ApiFailure, isMissing } from '#src/domain/api/api.ts'
import type { Queries } from '#src/domain/queries/lazy-query-cache.ts'
import { useMember } from '#src/domain/session/session.ts'
import { ValidationForm } from '#src/features/accounts/validation-form.tsx'
import { deskQuery } from '#src/features/administration/staff/staff.ts'
import { validationPath } from '#src/features/leaving/password-validation.ts'
import { PasskeyRequired } from '#src/features/passkeys/passkey-required.tsx'
import { PasskeyValidation } from '#src/features/passkeys/passkey-validation.tsx'
import { loadFailed } from '#src/features/shell/failures/load-failure.tsx'

const needsPasskey = (error: unknown): boolean =>
  error instanceof ApiFailure && error.code === 'passkey_required'

/**
 * Loads the role of the signed-in person. The server decides who is staff: for all other people, and for staff without the area,
 * there is no such page.
 * @returns whether the page may read further; false until a passkey was used
 */
export async function loadDesk(client: Queries, area: Area): Promise<boolean> {
  try {
    const { role } = await client.ensureQueryData(deskQuery)
    if (!mayUse(role, area)) throw notFound()
    return true
  } catch (error) {
    if (isMissing(error)) throw notFound()
    // The page leads to a passkey.
    if (!needsPasskey(error)) throw error
    return false
  }
}

interface StaffGateProps {
  /** The page, to return to after a validation. */
  path: string
  children: (role: StaffRole) => ReactNode
}

export function StaffGate({ path, children }: StaffGateProps) {
  const desk = useQuery(deskQuery)
  const router = useRouter()
  if (needsPasskey(desk.error))
    return (
      <PasskeyRequired
        onProven={() => void desk.refetch()}
        onValidate={() => router.history.push(validationPath(path))}
      />
    )
  if (!desk.data) return desk.error && loadFailed(desk.error, desk.refetch)
  return children(desk.data.role)
}

/** The ways in which staff confirm who they are: the password, or a passkey. */
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
