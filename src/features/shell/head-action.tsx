// HeadAction, HeadTitle and FootAction: render parts of a page in its layout.
import { createContext, use, type ReactNode } from 'react'
import { createPortal } from 'react-dom'

/** The place at the end of the header, once it is mounted. */
export const HeadSlot = createContext<HTMLElement | null>(null)

/** The place of a title that the page itself shows, once it is mounted. */
export const TitleSlot = createContext<HTMLElement | null>(null)

/** The place above the uploads at the foot of the window, once it is mounted. */
export const FootSlot = createContext<HTMLElement | null>(null)

export function FootAction({ children }: { children: ReactNode }) {
  const slot = use(FootSlot)
  return slot && createPortal(children, slot)
}

/** Shown in place of the title, which remains the heading for assistive technology. */
export function HeadTitle({ children }: { children: ReactNode }) {
  const slot = use(TitleSlot)
  return slot && createPortal(children, slot)
}

export function HeadAction({ children }: { children: ReactNode }) {
  const slot = use(HeadSlot)
  return slot && createPortal(children, slot)
}
