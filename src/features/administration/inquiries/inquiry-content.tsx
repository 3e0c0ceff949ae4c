// InquiryContent: what a claim is about, as it is now.
import { Link } from '@tanstack/react-router'
import type { InquiryView } from '#contract/inquiries/admin-inquiries.ts'
import { ShownPicture } from '#src/domain/media/shown-picture.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { inquiriesText as words } from './text.ts'

export function InquiryContent({ inquiry: { content } }: { inquiry: InquiryView }) {
  if (!content) return null
  const pictures = content.media.flatMap((it) => {
    const src = it.kind === 'video' ? it.poster : it.sources.at(-1)?.src
    return src === null || src === undefined ? [] : [{ id: it.id, src, alt: it.alt }]
  })
  return (
    <section aria-labelledby="content">
      <div className="mb-2 flex flex-wrap items-center gap-2">
        <h3 id="content" className="font-semibold">
          {words.content}
        </h3>
        <Badge look={content.state === 'present' ? 'plain' : 'care'}>
          {words.contentStates[content.state]}
        </Badge>
      </div>
      <p className="mb-2 text-sm text-soft">
        {words.owner}：{content.owner?.name ?? words.ownerGone}
      </p>
      {content.kind === 'message' ? (
        <p className="text-sm text-soft">{words.messageContent}</p>
      ) : (
        content.text !== '' && (
          <blockquote
            dir="auto"
            className="max-h-96 overflow-y-auto rounded-media border border-line bg-sunk px-4 py-3 break-words whitespace-pre-wrap"
          >
            {content.text}
          </blockquote>
        )
      )}
      {pictures.length > 0 && (
        <ul className="mt-3 grid grid-cols-2 gap-2 sm:grid-cols-3">
          {pictures.map((it) => (
            <li key={it.id} className="overflow-hidden rounded-media bg-sunk">
              <ShownPicture src={it.src} alt={it.alt === '' ? words.content : it.alt} />
            </li>
          ))}
        </ul>
      )}
      {content.case_id !== null && (
        <Link
          to="/admin/report"
          search={{ case: content.case_id }}
          className="mt-3 inline-flex min-h-11 items-center underline underline-offset-4"
        >
          {words.openCase}
        </Link>
      )}
    </section>
  )
}
