// StorageNote: how much of their storage a person uses, below a post that was refused for it.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { storageSize } from '#src/lib/format.ts'
import { storageQuery } from '#src/domain/storage/storage.ts'
import { storageText as words } from '#src/domain/storage/text.ts'
import { linkClass } from '#src/ui/text/link-class.ts'

/** Without an answer of the server the link alone: the page it leads to says why. */
export function StorageNote() {
  const { data } = useQuery(storageQuery)
  return (
    <p className="mt-1 text-sm text-soft">
      {data && (
        <span className="tabular-nums">{words.line(storageSize(data.used), storageSize(data.limit))}</span>
      )}{' '}
      <Link to="/settings" className={linkClass}>
        {words.look}
      </Link>
    </p>
  )
}
