// Opens the password validation if it expired while a form was filled in.
import { useNavigate } from '@tanstack/react-router'
import { ApiFailure } from '#src/domain/api/api.ts'

/** Wraps a call of the form at `to`. @returns whether it was made */
export function useValidated(to: '/user/change-email' | '/user/change-password') {
  const navigate = useNavigate()
  return async (work: () => Promise<unknown>): Promise<boolean> => {
    try {
      await work()
      return true
    } catch (failure) {
      if (!(failure instanceof ApiFailure) || failure.code !== 'validation_required') throw failure
      await navigate({ to: '/user/password-validation', search: { to } })
      return false
    }
  }
}
