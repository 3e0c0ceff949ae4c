// Menu: a button with a popup of items, which is loaded when it opens.
import {
  cloneElement,
  useState,
  type ComponentProps,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
} from 'react'

export type MenuItem =
  | {
      is: 'action'
      label: string
      icon?: ReactNode
      danger?: boolean
      disabled?: boolean
      onSelect: () => void
    }
  /** One of several; `checked`: it holds now. */
  | { is: 'choice'; label: string; checked: boolean; onSelect: () => void }
  | { is: 'link'; label: string; icon?: ReactNode; render: ReactElement }
  | { is: 'separator' }

export interface MenuProps {
  /** A button. */
  trigger: ReactElement<ComponentProps<'button'>>
  /** Heading above the actions: the menu's subject. */
  heading?: ReactNode
  items: readonly MenuItem[]
  side?: 'top' | 'bottom' | 'right'
  align?: 'start' | 'end'
}

const load = async () => (await import('./menu-popup.tsx')).MenuPopup

/** From the moment a finger touches the button. */
const preload = () => void load().catch(() => undefined)

interface Pressed {
  Popup: Awaited<ReturnType<typeof load>>
  byKeyboard: boolean
}

export function Menu(props: MenuProps) {
  const [pressed, setPressed] = useState<Pressed>()
  if (pressed) return <pressed.Popup {...props} byKeyboard={pressed.byKeyboard} />
  function press({ button, detail }: MouseEvent) {
    if (button !== 0) return
    // The press itself is over by then: it would close again what it has opened.
    const open = (Popup: Pressed['Popup']) =>
      setTimeout(() => setPressed({ Popup, byKeyboard: detail === 0 }))
    // What cannot be fetched now may be at the next press.
    void load().then(open, () => undefined)
  }
  return cloneElement(props.trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onPointerEnter: preload,
    onFocus: preload,
    // On mousedown: a field loses its focus then, and the page may move before the click.
    onMouseDown: press,
    onClick: press,
  })
}
