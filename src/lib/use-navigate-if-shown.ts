// Leading on from a page once something is done there: whoever went elsewhere meanwhile stays where they are.
import { useRouter } from '@tanstack/react-router'

/** Hook: makes of a step to another page one that is taken later only where the address is still the one of now. */
export function useFromHere(): (lead: () => void) => () => void {
  const router = useRouter()
  const here = () => router.state.location.pathname
  return (lead) => {
    const began = here()
    return () => {
      if (here() === began) lead()
    }
  }
}
