// AccountMenu: links to the person's pages, and the sign-out.
import { Link } from '@tanstack/react-router'
import { ChartColumn, LogOut, Settings, ShieldCheck, Star, UserRound } from 'lucide-react'
import type { SessionUser } from '#contract/accounts/session.ts'
import { Menu } from '#src/ui/overlays/menu.tsx'
import { AccountButton, type Place } from './account-button.tsx'
import { text } from '#src/domain/text/text.ts'

interface AccountMenuProps {
  me: SessionUser
  onSignOut: () => void
  place: Place
}

export function AccountMenu({ me, onSignOut, place }: AccountMenuProps) {
  return (
    <Menu
      side={place === 'rail' ? 'top' : 'bottom'}
      align={place === 'rail' ? 'start' : 'end'}
      trigger={<AccountButton me={me} place={place} />}
      heading={
        <>
          <p className="font-semibold">{me.name}</p>
          <p className="text-sm text-soft">{me.email}</p>
        </>
      }
      items={[
        {
          is: 'link',
          label: text.nav.profile,
          icon: <UserRound aria-hidden size={20} />,
          render: <Link to="/profile/$id" params={{ id: me.id }} />,
        },
        {
          is: 'link',
          label: text.nav.plans,
          icon: <Star aria-hidden size={20} />,
          render: <Link to="/plan" />,
        },
        {
          is: 'link',
          label: text.nav.sales,
          icon: <ChartColumn aria-hidden size={20} />,
          render: <Link to="/settings/sales-management" />,
        },
        {
          is: 'link',
          label: text.nav.settings,
          icon: <Settings aria-hidden size={20} />,
          render: <Link to="/settings" />,
        },
        ...(me.role !== 'member'
          ? [
              {
                is: 'link' as const,
                label: text.nav.administration,
                icon: <ShieldCheck aria-hidden size={20} />,
                render: <Link to="/administration" />,
              },
            ]
          : []),
        { is: 'separator' },
        {
          is: 'action',
          label: text.nav.signOut,
          icon: <LogOut aria-hidden size={20} />,
          onSelect: onSignOut,
        },
      ]}
    />
  )
}
