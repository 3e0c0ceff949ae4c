// Toasts: where short words are shown, at the top right, until they go away by themselves.
import { Toast as Base } from '@base-ui/react/toast'
import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from 'lucide-react'
import { useEffect, type ReactNode } from 'react'
import { IconButton } from './icon-button.tsx'
import { listenForToasts, type ToastType } from './toast.ts'

const icons: Record<ToastType, ReactNode> = {
  info: <Info aria-hidden size={20} className="text-info-text" />,
  success: <CircleCheck aria-hidden size={20} className="text-good-text" />,
  warning: <TriangleAlert aria-hidden size={20} className="text-care-text" />,
  error: <CircleAlert aria-hidden size={20} className="text-seal-text" />,
  default: null,
}

const isToastType = (type: string | undefined): type is ToastType => type !== undefined && type in icons

const manager = Base.createToastManager()

export function Toasts({
  timeout,
  label,
  closeLabel,
}: {
  timeout: number
  label: string
  closeLabel: string
}) {
  useEffect(
    () =>
      listenForToasts(({ sentence, type, ms }) => {
        // An error is read out at once, the rest when there is a pause.
        const priority = type === 'error' ? 'high' : 'low'
        manager.add({ description: sentence, type, priority, ...(ms === undefined ? {} : { timeout: ms }) })
      }),
    [],
  )
  return (
    <Base.Provider toastManager={manager} timeout={timeout} limit={4}>
      <Base.Portal>
        <Base.Viewport
          aria-label={label}
          className="fixed top-[calc(env(safe-area-inset-top,0px)+12px)] right-3 left-3 z-60 flex flex-col items-end gap-2 outline-none rail:left-auto rail:w-90"
        >
          <ToastList closeLabel={closeLabel} />
        </Base.Viewport>
      </Base.Portal>
    </Base.Provider>
  )
}

function ToastList({ closeLabel }: { closeLabel: string }) {
  const { toasts: shown } = Base.useToastManager()
  return shown.map((it) => (
    <Base.Root
      key={it.id}
      toast={it}
      // A dialog by its role: without a title its sentence is its name.
      aria-label={typeof it.description === 'string' ? it.description : undefined}
      swipeDirection={['up', 'right']}
      className="w-full translate-x-(--toast-swipe-movement-x) translate-y-(--toast-swipe-movement-y) rounded-media border border-line bg-raised text-ink shadow-float transition-[translate,opacity] duration-240 data-limited:hidden data-starting-style:-translate-y-3 data-starting-style:opacity-0 data-ending-style:opacity-0 data-swiping:duration-0"
    >
      <Base.Content className="flex items-center gap-3 py-1 pr-1 pl-4">
        {isToastType(it.type) && icons[it.type]}
        <Base.Description className="min-w-0 flex-1 py-2" />
        <Base.Close render={<IconButton label={closeLabel} icon={<X size={18} />} className="text-soft" />} />
      </Base.Content>
    </Base.Root>
  ))
}
