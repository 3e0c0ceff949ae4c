// PasskeyRequired: staff prove themselves by a passkey, or set one first.
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { listPasskeys } from '#contract/accounts/passkeys.ts'
import { queryFor } from '#src/domain/queries/query.ts'
import { PasskeyList } from './passkey-list.tsx'
import { PasskeyValidation } from './passkey-validation.tsx'
import { passkeysText } from './text.ts'

const words = passkeysText.required

interface PasskeyRequiredProps {
  /** Called when the session is proven by a passkey. */
  onProven: () => void
  /** Called when setting one needs a validation by the password first. */
  onValidate: () => void
}

export function PasskeyRequired({ onProven, onValidate }: PasskeyRequiredProps) {
  const { data } = useQuery(queryFor(listPasskeys, {}))
  const hasOne = data !== undefined && data.passkeys.length > 0
  return (
    <section aria-labelledby="passkey-required" className="pt-6 pb-16">
      <h2 id="passkey-required" className="px-4 text-lg font-semibold">
        {words.title}
      </h2>
      <p className="px-4 pt-2">{hasOne ? words.validate : words.set}</p>
      {hasOne ? (
        <div className="px-4">
          <PasskeyValidation onValidated={onProven} />
        </div>
      ) : (
        <Suspense>{data && <PasskeyList onValidate={onValidate} />}</Suspense>
      )}
    </section>
  )
}
