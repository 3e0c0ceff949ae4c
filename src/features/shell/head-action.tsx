// HeadAction: puts a page's one act into the header of its layout.
import { createContext, use, type ReactNode } from 'react'
import { createPortal } from 'react-dom'

/** The place in the header, once it stands. */
export const HeadSlot = createContext<HTMLElement | null>(null)

export function HeadAction({ children }: { children: ReactNode }) {
  const slot = use(HeadSlot)
  return slot && createPortal(children, slot)
}
