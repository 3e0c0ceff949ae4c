// Navigates after an action, if its page is still open.
import { useRouter } from '@tanstack/react-router'

/** Hook: makes of a step to another page one that is taken later only where the address is still the one of now. */
export function useNavigateIfShown(): (lead: () => void) => () => void {
  const router = useRouter()
  const here = () => router.state.location.pathname
  return (lead) => {
    const began = here()
    return () => {
      if (here() === began) lead()
    }
  }
}
