// Whether new accounts are made now, read by the page of registration.
import { useEffect, useState } from 'react'
import { getRegistration } from '#contract/accounts/invitations.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'

type State = ReplyOf<typeof getRegistration>['state']

/** Undefined until the server has replied. Without a reply the form is shown: the server decides anyway. */
export function useRegistrationState(): State | undefined {
  // Pages for visitors have no query cache.
  const [state, setState] = useState<State>()
  useEffect(() => {
    let isShown = true
    call(getRegistration, {}).then(
      (reply) => isShown && setState(reply.state),
      (failure: unknown) => {
        if (isShown) setState('open')
        if (!(failure instanceof ApiFailure)) throw failure
      },
    )
    return () => void (isShown = false)
  }, [])
  return state
}
