// SettingsIndex: the list of all settings, and the sign-out.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import {
  Ban,
  Bell,
  ChartColumn,
  CircleHelp,
  EyeOff,
  FileText,
  Flag,
  IdCard,
  Info,
  KeyRound,
  LogOut,
  Mail,
  ReceiptText,
  Shield,
  Star,
  Store,
  UserRound,
  Wifi,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { useMember } from '#src/domain/session/session.ts'
import { settingsText } from './text.ts'
import { Avatar } from '#src/ui/avatar.tsx'
import { Row, Rows, type RowProps } from '#src/ui/rows.tsx'
import { privacyQuery } from './settings.ts'
import { StorageUsage } from './storage-usage.tsx'

const words = settingsText
const icon = { 'aria-hidden': true, size: 20 } as const

const law: RowProps[] = [
  { to: '/settings/terms-of-service', title: words.rows.terms },
  { to: '/settings/privacy-policy', title: words.rows.privacyPolicy },
  { to: '/settings/commercial-transactions-act', title: words.rows.commerce },
]

interface SettingsIndexProps {
  /** Further rows of the first group. */
  account: readonly RowProps[]
  /** Further rows of the display's group. */
  display: ReactNode
  onSignOut: () => void
}

export function SettingsIndex({ account, display, onSignOut }: SettingsIndexProps) {
  const me = useMember()
  const privacy = useQuery(privacyQuery).data
  const { rows, groups } = words
  return (
    <div className="pb-16">
      {me && <Myself {...me} />}
      <Rows label={groups.account}>
        <Row to="/profile/edit" title={rows.profile} icon={<IdCard {...icon} />} />
        <Row to="/user/info" title={rows.info} icon={<UserRound {...icon} />} value={me?.name} />
        <Row to="/plan" title={rows.plans} icon={<Star {...icon} />} />
        <Row to="/purchase-history" title={rows.purchases} icon={<ReceiptText {...icon} />} />
        <Row to="/settings/sales-management" title={rows.sales} icon={<ChartColumn {...icon} />} />
        <Row to="/settings/seller" title={rows.seller} icon={<Store {...icon} />} />
        <Row to="/user/change-email" title={rows.email} icon={<Mail {...icon} />} />
        <Row to="/user/change-password" title={rows.password} icon={<KeyRound {...icon} />} />
        {account.map((it) => (
          <Row key={it.to} {...it} />
        ))}
      </Rows>
      <StorageUsage />
      <Rows label={groups.notices}>
        <Row to="/settings/notification" title={rows.notification} icon={<Bell {...icon} />} />
      </Rows>
      <Rows label={groups.safety}>
        <Row to="/settings/privacy-and-security" title={rows.privacy} icon={<Shield {...icon} />} />
        <Row to="/settings/blocklist_bk" title={rows.blocks} icon={<Ban {...icon} />} />
        <Row to="/settings/reports" title={rows.reports} icon={<Flag {...icon} />} />
      </Rows>
      <Rows label={groups.display}>
        <Row
          to="/settings/privacy-and-security"
          title={rows.ageLimited}
          icon={<EyeOff {...icon} />}
          value={privacy && (privacy.shows_age_limited ? words.shown : words.notShown)}
        />
        {display}
      </Rows>
      <Rows label={groups.support}>
        <Row to="/help" title={rows.help} icon={<CircleHelp {...icon} />} />
        <Row to="/test-upload" title={rows.uploadTest} icon={<Wifi {...icon} />} />
        <Row to="/about" title={rows.about} icon={<Info {...icon} />} />
      </Rows>
      <Rows label={groups.law}>
        {law.map((it) => (
          <Row key={it.to} {...it} icon={<FileText {...icon} />} />
        ))}
      </Rows>
      <SignOut onSignOut={onSignOut} />
    </div>
  )
}

function Myself({
  id,
  name,
  email,
  avatar_url,
}: {
  id: string
  name: string
  email: string
  avatar_url: string | null
}) {
  return (
    <Link
      to="/profile/$id"
      params={{ id }}
      className="flex items-center gap-3 border-b border-line px-4 py-4 hover:bg-sunk"
    >
      <Avatar name={name} src={avatar_url} size={48} />
      <span className="min-w-0">
        <span className="block truncate font-semibold">{name}</span>
        <span className="block truncate text-sm text-soft">{email}</span>
      </span>
    </Link>
  )
}

function SignOut({ onSignOut }: { onSignOut: () => void }) {
  return (
    <button
      type="button"
      onClick={onSignOut}
      className="mt-8 flex min-h-14 w-full items-center gap-3 border-y border-line px-4 text-left hover:bg-sunk"
    >
      <LogOut aria-hidden size={20} className="text-soft" />
      {words.signOut}
    </button>
  )
}
