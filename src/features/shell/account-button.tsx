// AccountButton: the signed-in person's avatar, which opens the account menu.
import type { ComponentProps } from 'react'
import type { SessionUser } from '#contract/accounts/session.ts'
import { Avatar } from '#src/ui/avatar.tsx'
import { text } from '#src/domain/text/text.ts'

/** Where the button is; only the rail shows the name. */
export type Place = 'rail' | 'header'

interface AccountButtonProps extends Omit<ComponentProps<'button'>, 'children' | 'className'> {
  me: SessionUser
  place: Place
}

export function AccountButton({ me, place, ...rest }: AccountButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={
        place === 'rail'
          ? 'flex min-h-13 w-full items-center justify-center gap-2 rounded-pill px-1.5 text-left hover:bg-sunk wide:justify-start'
          : 'grid size-11 place-items-center rounded-pill hover:bg-sunk'
      }
    >
      <Avatar name={me.name} src={me.avatar_url} size={place === 'rail' ? 40 : 28} />
      <span className="sr-only">{text.nav.me}：</span>
      <span
        className={place === 'rail' ? 'max-wide:sr-only min-w-0 flex-1 truncate font-semibold' : 'sr-only'}
      >
        {me.name}
      </span>
    </button>
  )
}
