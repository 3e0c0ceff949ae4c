// Darkens the scrollbar's strip beside an overlay.
import { useLayoutEffect } from 'react'

let open = 0

/**
 * @param isOpen whether an overlay covers a darkened page
 */
export function useScrim(isOpen: boolean): void {
  useLayoutEffect(() => {
    if (!isOpen) return
    open++
    document.documentElement.classList.add('scrimmed')
    return () => {
      open--
      if (open === 0) document.documentElement.classList.remove('scrimmed')
    }
  }, [isOpen])
}
