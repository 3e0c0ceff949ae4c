// SellerNotice: leads creators without stored data to the form.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Info } from 'lucide-react'
import { Banner } from '#src/ui/states/banner.tsx'
import { linkClass } from '#src/ui/text/link-class.ts'
import { ownSellerQuery } from './sellers.ts'
import { ownSellerText } from './text.ts'

const words = ownSellerText.notice

/** `always`: also before the first plan or priced post. */
export function SellerNotice({ always = false }: { always?: boolean }) {
  const seller = useQuery(ownSellerQuery).data
  if (!seller || seller.stored !== null || seller.may_store !== 'yes') return null
  if (!always && !seller.sells) return null
  return (
    <Banner
      look="info"
      icon={<Info aria-hidden size={18} />}
      action={
        <Link to="/settings/seller" className={linkClass}>
          {words.action}
        </Link>
      }
    >
      {words.text}
    </Banner>
  )
}
