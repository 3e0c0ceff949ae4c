// AlertBox: a dialog with a question or a statement, loaded when it opens.
import { AlertDialog as Base } from '@base-ui/react/alert-dialog'
import type { AlertDialogProps } from './alert-dialog.tsx'
import { Button } from '#src/ui/button.tsx'
import { useScrim } from './use-scrim.ts'

export function AlertBox(props: AlertDialogProps) {
  const { open, onOpenChange, title, description, cancel, action, finalFocus } = props
  useScrim(open)
  return (
    <Base.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <Base.Portal>
        <Base.Backdrop
          // Over a sheet as well: without it the question and the sheet's own words run into each other.
          forceRender
          className="fixed inset-0 z-50 min-h-dvh bg-scrim transition-opacity data-starting-style:opacity-0 data-ending-style:opacity-0"
        />
        <Base.Popup
          finalFocus={finalFocus}
          className="fixed top-1/2 left-1/2 z-60 w-80 max-w-[calc(100vw-32px)] -translate-1/2 rounded-media bg-raised p-5 text-ink shadow-float outline-none transition-[opacity,scale] data-starting-style:scale-98 data-starting-style:opacity-0 data-ending-style:opacity-0"
        >
          <Base.Title className="text-lg font-semibold">{title}</Base.Title>
          {description && (
            <Base.Description render={<div />} className="mt-2 text-soft">
              {description}
            </Base.Description>
          )}
          <div className="mt-5 flex justify-end gap-2">
            <Base.Close render={<Button look={action ? 'quiet' : 'ink'} size="small" />}>{cancel}</Base.Close>
            {action && (
              <Button
                look={action.danger ? 'danger' : 'ink'}
                size="small"
                busy={action.busy ?? false}
                onClick={action.onSelect}
              >
                {action.label}
              </Button>
            )}
          </div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
