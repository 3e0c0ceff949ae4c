// StorageNote: the used storage, below a post that was refused for its size.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { storageSize } from '#src/lib/format.ts'
import { storageQuery } from '#src/domain/storage/storage.ts'
import { storageText as words } from '#src/domain/storage/text.ts'
import { linkClass } from '#src/ui/text/link-class.ts'

/** Without a reply of the server it shows the link alone, to a page with the reason. */
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
