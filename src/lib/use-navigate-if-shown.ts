// Navigates after an action, if its page is still open.
import { useRouter } from '@tanstack/react-router'

/** Wraps a navigation so that it runs later only if the path has not changed. */
export function useNavigateIfShown(): (navigate: () => void) => () => void {
  const router = useRouter()
  const path = () => router.state.location.pathname
  return (navigate) => {
    const before = path()
    return () => {
      if (path() === before) navigate()
    }
  }
}
