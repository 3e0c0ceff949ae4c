// LawLinks: links to the help and the legal texts, below a page.
import { Link } from '@tanstack/react-router'
import { text } from '#src/domain/text/text.ts'

const pages = [
  { to: '/about', label: text.law.about },
  { to: '/help', label: text.law.help },
  { to: '/settings/terms-of-service', label: text.law.terms },
  { to: '/settings/privacy-policy', label: text.law.privacy },
  { to: '/settings/commercial-transactions-act', label: text.law.commerce },
] as const

export function LawLinks() {
  return (
    <nav aria-label={text.law.all} className="px-4 pt-4 pb-6 text-sm text-soft">
      <ul className="mx-auto flex max-w-160 flex-wrap justify-center gap-x-5">
        {pages.map((page) => (
          <li key={page.to}>
            <Link
              to={page.to}
              className="inline-flex min-h-9 items-center underline-offset-3 hover:text-ink hover:underline"
            >
              {page.label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
