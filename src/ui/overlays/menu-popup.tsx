// MenuPopup: the open menu with its button and items.
import { Menu as Base } from '@base-ui/react/menu'
import { Check } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { cx } from '#src/ui/cx.ts'
import type { MenuItem, MenuProps } from './menu.tsx'

const row =
  'flex min-h-11 w-full cursor-pointer items-center gap-3 px-4 outline-none select-none data-highlighted:bg-sunk data-disabled:cursor-not-allowed data-disabled:text-soft'

interface MenuPopupProps extends MenuProps {
  /** The menu then opens with its first item focused. */
  byKeyboard: boolean
}

export function MenuPopup(props: MenuPopupProps) {
  const { trigger, heading, items, side = 'bottom', align = 'end', byKeyboard } = props
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!byKeyboard) return
    // The button that was in this place handled the press.
    button.current?.focus()
    button.current?.click()
  }, [byKeyboard])
  return (
    <Base.Root defaultOpen={!byKeyboard}>
      <Base.Trigger ref={button} render={trigger} />
      <Base.Portal>
        <Base.Positioner
          side={side}
          align={align}
          sideOffset={8}
          collisionPadding={8}
          className="z-50 outline-none"
        >
          <Base.Popup className="min-w-56 origin-(--transform-origin) rounded-media border border-line bg-raised py-2 text-ink shadow-float outline-none transition-[opacity,scale] data-starting-style:scale-98 data-starting-style:opacity-0 data-ending-style:opacity-0">
            {heading && <div className="mb-2 border-b border-line px-4 pt-1 pb-3">{heading}</div>}
            {items.map((item, i) => (
              <Row key={item.is === 'separator' ? i : item.label} item={item} />
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

function Row({ item }: { item: MenuItem }) {
  switch (item.is) {
    case 'separator':
      return <Base.Separator className="my-2 h-px bg-line" />
    case 'link':
      return (
        <Base.Item render={item.render} className={row}>
          <span className="text-soft">{item.icon}</span>
          {item.label}
        </Base.Item>
      )
    case 'choice':
      return (
        <Base.CheckboxItem
          checked={item.checked}
          onCheckedChange={item.onSelect}
          closeOnClick
          className={row}
        >
          <span className="grid w-5 place-items-center">
            {item.checked && <Check aria-hidden size={18} />}
          </span>
          {item.label}
        </Base.CheckboxItem>
      )
    case 'action':
      return (
        <Base.Item
          onClick={item.onSelect}
          disabled={item.disabled ?? false}
          className={cx(row, item.danger && 'text-seal-text')}
        >
          <span className={item.danger ? '' : 'text-soft'}>{item.icon}</span>
          {item.label}
        </Base.Item>
      )
    default:
      return item satisfies never
  }
}
