// KindMark: the icon of a notification's kind, on the actor's avatar.
import {
  AtSign,
  Bell,
  CircleDollarSign,
  Flag,
  Heart,
  IdCard,
  type LucideIcon,
  Mail,
  Megaphone,
  MessageCircle,
  PenLine,
  Reply,
  ShieldAlert,
  Star,
  UserPlus,
} from 'lucide-react'
import { createElement } from 'react'

const signs: Readonly<Record<string, LucideIcon>> = {
  like_post: Heart,
  like_comment: Heart,
  comment: MessageCircle,
  reply_comment: Reply,
  mention: AtSign,
  follow: UserPlus,
  post: PenLine,
  plan_post: Star,
  buy_post: CircleDollarSign,
  plan: Star,
  message: Mail,
  identity: IdCard,
  notice: Megaphone,
  measure: ShieldAlert,
  report: Flag,
  hold: ShieldAlert,
}

export function Sign({ code, size }: { code: string; size: number }) {
  return createElement(signs[code] ?? Bell, { 'aria-hidden': true, size, strokeWidth: 2.25 })
}

export function KindMark({ code }: { code: string }) {
  return (
    <span className="absolute -right-1.5 -bottom-1 grid size-5.5 place-items-center rounded-pill border border-line bg-paper text-ink">
      <Sign code={code} size={12} />
    </span>
  )
}
