// HeadAction and FootAction: render a page's action in its layout.
import { createContext, use, type ReactNode } from 'react'
import { createPortal } from 'react-dom'

/** The place in the header, once it is mounted. */
export const HeadSlot = createContext<HTMLElement | null>(null)

/** The place above the uploads at the foot of the window, once it is mounted. */
export const FootSlot = createContext<HTMLElement | null>(null)

export function FootAction({ children }: { children: ReactNode }) {
  const slot = use(FootSlot)
  return slot && createPortal(children, slot)
}

export function HeadAction({ children }: { children: ReactNode }) {
  const slot = use(HeadSlot)
  return slot && createPortal(children, slot)
}
