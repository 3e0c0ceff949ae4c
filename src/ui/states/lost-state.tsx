// LostState: shown for content that does not exist for this viewer.
import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { buttonClass } from '#src/ui/button.tsx'
import { EmptyState } from './empty-state.tsx'

interface LostStateProps {
  title: string
  text: string
  /** The link to another page. */
  link: { to: NonNullable<LinkProps['to']>; label: string }
  /** A further action beside the link. */
  action?: ReactNode
  /** The page's own heading, when nothing else on it is one. */
  heading?: 'h1' | 'h2'
}

export function LostState({ link, action, ...texts }: LostStateProps) {
  return (
    <EmptyState
      drawing="lost"
      {...texts}
      action={
        <div className="flex flex-wrap justify-center gap-2">
          {action}
          <Link to={link.to} className={buttonClass('quiet')}>
            {link.label}
          </Link>
        </div>
      }
    />
  )
}
