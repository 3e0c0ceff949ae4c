// Sheet: a bottom sheet on phones, a dialog on wider screens.
import { Drawer } from '@base-ui/react/drawer'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '#src/ui/cx.ts'
import { IconButton } from '#src/ui/icon-button.tsx'
import { useScrim } from './use-scrim.ts'

interface SheetProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description?: string
  closeLabel: string
  children: ReactNode
  /** Visible below the scrolling content. */
  footer?: ReactNode
}

const backdrop =
  'fixed inset-0 z-40 min-h-dvh bg-scrim opacity-[calc(1-var(--drawer-swipe-progress,0))] transition-opacity duration-240 data-starting-style:opacity-0 data-ending-style:opacity-0 data-swiping:duration-0'

const popup = cx(
  'relative flex max-h-[calc(100dvh-48px)] w-full flex-col overflow-clip rounded-t-media bg-raised text-ink shadow-float outline-none safe-bottom',
  'translate-y-(--drawer-swipe-movement-y) transition-[translate,opacity] duration-240 ease-out data-swiping:duration-0 data-swiping:select-none',
  'data-starting-style:translate-y-full data-ending-style:translate-y-full',
  'rail:max-h-[min(720px,calc(100dvh-96px))] rail:max-w-120 rail:rounded-media',
  'rail:data-starting-style:translate-y-2 rail:data-starting-style:opacity-0 rail:data-ending-style:translate-y-2 rail:data-ending-style:opacity-0',
)

export function Sheet({ open, onOpenChange, title, description, closeLabel, children, footer }: SheetProps) {
  useScrim(open)
  return (
    <Drawer.Root open={open} onOpenChange={(next) => onOpenChange(next)} swipeDirection="down">
      <Drawer.Portal>
        <Drawer.Backdrop className={backdrop} />
        <Drawer.Viewport className="fixed inset-0 z-50 flex items-end justify-center rail:items-center">
          <Drawer.Popup className={popup}>
            <div aria-hidden className="mx-auto mt-2 h-1 w-9 rounded-pill bg-line rail:hidden" />
            <header className="flex min-h-13 items-center gap-2 pr-1 pl-4">
              <Drawer.Title className="min-w-0 flex-1 text-lg font-semibold">{title}</Drawer.Title>
              <Drawer.Close render={<IconButton label={closeLabel} icon={<X size={22} />} />} />
            </header>
            <Drawer.Content className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-4 pt-1 pb-4">
              {description && (
                <Drawer.Description className="mb-3 text-soft">{description}</Drawer.Description>
              )}
              {children}
            </Drawer.Content>
            {footer && <footer className="border-t border-line px-4 py-3">{footer}</footer>}
          </Drawer.Popup>
        </Drawer.Viewport>
      </Drawer.Portal>
    </Drawer.Root>
  )
}
